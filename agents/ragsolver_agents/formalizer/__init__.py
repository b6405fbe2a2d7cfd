"""Formalizer: turns a sketch into Lean candidates."""
