"""Replaying a recorded run: its answers used again under the same or another configuration."""
