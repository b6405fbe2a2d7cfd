"""Critic: judges attempts and writes the final report."""
