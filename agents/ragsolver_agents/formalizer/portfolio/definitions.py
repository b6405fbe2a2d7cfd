"""Definitions of the header itself, which no tactic unfolds by its own."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first

MAX_VARIABLES = 2


@dataclass(frozen=True)
class Definitions:
    """The header's definitions unfolded, then general tactics, also in an induction."""

    name: str = "definitions"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """None where the statement names no declaration of its header."""
        own = asked.view.own_constants
        if not own:
            return
        opening = asked.opening
        names = ", ".join(own)
        unfolded = f"simp only [{names}] at *"
        for variant, lines in {
            "omega": [f"{unfolded} <;> omega"],
            "simp": [f"simp [{names}]"],
            "simp_all": [f"simp_all [{names}]"],
            "grind": [f"grind [{names}]"],
            "decide": ["decide"],
        }.items():
            yield Script(f"definitions/{variant}", by([*opening, *lines]))
        closing = first(
            [
                "omega",
                f"(simp_all [{names}]; done)",
                f"(simp_all [{names}] <;> omega)",
                f"grind [{names}]",
            ]
        )
        for name in asked.reading.naturals[:MAX_VARIABLES]:
            lines = [*opening, f"induction {name} <;> (intros; {closing})"]
            yield Script("definitions/induction", by(lines))
