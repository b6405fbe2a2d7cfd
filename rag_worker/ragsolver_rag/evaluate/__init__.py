"""Evaluation of the search: published benchmarks, metrics, comparisons, reports."""
