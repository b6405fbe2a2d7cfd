"""Lean source text read without a toolchain: declarations, their texts, and names Lean derives."""
