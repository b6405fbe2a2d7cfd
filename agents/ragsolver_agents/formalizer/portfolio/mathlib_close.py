"""Mathlib's closing tactics."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by

TACTICS = (
    "norm_num",
    "norm_num [*] at *",
    "ring",
    "ring_nf",
    "linarith",
    "positivity",
    "field_simp; ring",
    "push_cast; ring",
    "norm_num; linarith",
    "simp; ring_nf",
    "aesop",
    "tauto",
)
"""In order of their time."""


@dataclass(frozen=True)
class MathlibClose:
    """`norm_num`, `ring`, `linarith`, `positivity`, `field_simp`, `aesop`, …, each alone."""

    name: str = "mathlib_close"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per tactic; none without Mathlib."""
        if not asked.mathlib:
            return
        for tactic in TACTICS:
            name = tactic.replace("; ", "+").replace(" [*] at *", "_all")
            yield Script(f"mathlib_close/{name}", by([*asked.opening, tactic]))
