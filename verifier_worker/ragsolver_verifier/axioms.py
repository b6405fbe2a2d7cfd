"""Which axioms a proof may rest on."""

from collections.abc import Iterable

from ragsolver_contracts.verdict import STANDARD_AXIOMS

SORRY = "sorryAx"
"""The axiom behind `sorry`, and behind every proof that Lean could not elaborate."""


def beyond_standard(axioms: Iterable[str]) -> tuple[str, ...]:
    """Those outside propext, Classical.choice and Quot.sound, by full name, sorted."""
    return tuple(sorted(set(axioms) - set(STANDARD_AXIOMS)))
