"""Single tactics on the goal as it stands."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.reading import Reading, explosive
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import Quantifier, subterms

TACTICS = ("omega", "grind", "simp_all", "rfl", "simp", "subst_vars; omega")
"""In order of what they prove per second."""

SAFE = ("omega", "grind")
"""What does not replace variables by their values."""

GROUND = ("decide", "rfl", "decide +kernel", "simp", "omega", "grind")
"""For a statement without variables: evaluation first."""


@dataclass(frozen=True)
class Close:
    """`omega`, `grind`, `simp_all`, …; evaluation where nothing varies."""

    name: str = "close"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per tactic."""
        reading = asked.reading
        ground = not asked.view.binders and reading.target is not None and not _universal(reading)
        opening = ["intros"] if reading.target is None or reading.opening else []
        tactics: tuple[str, ...] = GROUND if ground else TACTICS
        if explosive(reading):
            tactics = SAFE
        for tactic in tactics:
            yield Script(f"close/{tactic.replace('; ', '+')}", by([*opening, tactic]))


def _universal(reading: Reading) -> bool:
    """Whether a universal quantifier stands anywhere."""
    return bool(reading.opening) or any(
        isinstance(item, Quantifier) and item.kind == "∀"
        for term in reading.terms
        for item in subterms(term)
    )
