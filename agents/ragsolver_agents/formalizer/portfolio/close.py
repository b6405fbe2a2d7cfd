"""Single tactics on the goal as it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.reading import Reading, explosive, read
from ragsolver_agents.formalizer.portfolio.script import Script, by
from ragsolver_agents.formalizer.portfolio.terms import Quantifier, subterms
from ragsolver_agents.lemmas import Lemma
from ragsolver_contracts.lean import StatementView

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

    def scripts(self, view: StatementView, lemmas: Sequence[Lemma]) -> Iterator[Script]:
        """One script per tactic."""
        reading = read(view)
        ground = not view.binders and reading.target is not None and not _universal(reading)
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
