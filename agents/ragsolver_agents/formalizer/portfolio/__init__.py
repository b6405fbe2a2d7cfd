"""Families of tactic scripts, built from a statement and retrieved lemmas alone."""
