"""Planner: says what to look up for a problem."""
