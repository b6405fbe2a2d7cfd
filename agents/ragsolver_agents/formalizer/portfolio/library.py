"""Lean's own search through the library: what it finds is a proof, or is tried further."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.script import CLOSERS, Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import Op, Quantifier

MAX_ANSWERS = 10
"""Proposals tried at most."""
MAX_VARIABLES = 2
"""Variables tried for induction at most."""


@dataclass(frozen=True)
class Library:
    """`exact?` and `apply?` on the goal, on its parts, and in an induction.

    `apply?` proves nothing alone: it tells lemmas that would leave simpler goals, and `Answers`
    goes on from there.
    """

    name: str = "library"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """The whole goal first."""
        reading = asked.reading
        start = asked.opening
        closing = first(CLOSERS)
        yield Script("library/exact", by([*start, "exact?"]), probe=True)
        if isinstance(reading.target, Op) and reading.target.symbol in {"∧", "↔"}:
            yield Script("library/parts", by([*start, f"constructor <;> (intros; {closing})"]))
        if isinstance(reading.target, Op) and reading.target.symbol == "∨":
            yield Script("library/left", by([*start, f"left; {closing}"]))
            yield Script("library/right", by([*start, f"right; {closing}"]))
        yield Script("library/apply", by([*start, "apply?"]), probe=True)
        for name in reading.naturals[:MAX_VARIABLES]:
            if not isinstance(reading.target, Quantifier):
                lines = [*start, f"induction {name} <;> (intros; {closing})"]
                yield Script("library/induction", by(lines))


@dataclass(frozen=True)
class Answers:
    """What the probes found, with what it leaves closed by general tactics."""

    name: str = "answers"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per proposal, in Lean's order."""
        start = asked.opening
        for answer in asked.answers[:MAX_ANSWERS]:
            head = answer.strip("()").split()
            used = next((word for word in head if word[0].isupper()), head[0])
            lines = [*start, f"({answer}) <;> (intros; {first(CLOSERS)})"]
            yield Script(f"answers/{used}", by(lines))
