"""What a family is asked and what it proposes, and what every family is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ragsolver_agents.formalizer.portfolio.reading import Reading, read
from ragsolver_agents.lemmas import Lemma
from ragsolver_contracts.lean import HoleView, StatementView


@dataclass(frozen=True)
class Asked:
    """All that a family may know: the statement as elaborated, and what was found so far."""

    view: StatementView
    lemmas: tuple[Lemma, ...] = ()
    """Retrieved, the newest first."""
    answers: tuple[str, ...] = ()
    """Tactics that Lean proposed to earlier probes, in order, each once."""
    mathlib: bool = False
    """Whether the header gives Mathlib."""
    sketch: str = ""
    """A proof with `sorry` for what is missing."""
    holes: tuple[HoleView, ...] = ()
    """The `sorry`s of the sketch as Lean elaborated them."""

    @cached_property
    def reading(self) -> Reading:
        """The statement's view, read."""
        return read(self.view)

    @property
    def opening(self) -> tuple[str, ...]:
        """Tactics that bring the goal's own hypotheses in, by name where the goal is readable."""
        return self.reading.opening if self.reading.target is not None else ("intros",)


@dataclass(frozen=True)
class Script:
    """One proof to try: Lean text, unverified."""

    strategy: str
    """Family and variant, for reports."""
    proof: str
    """What follows `:=`."""
    preamble: str = ""
    """Declarations before the statement."""
    citations: tuple[str, ...] = ()
    """Citation ids of the lemmas that the script tries."""
    probe: bool = False
    """Whether Lean's answer is worth as much as its acceptance: later scripts use it."""


class Family(Protocol):
    """A generic way to prove; it reads what is asked, never a problem's name."""

    @property
    def name(self) -> str:
        """Name in configurations and reports."""

    @property
    def cost(self) -> int:
        """1 cheap, 2 moderate, 3 may run to its limits or kill the checker."""

    @property
    def uses_lemmas(self) -> bool:
        """Whether retrieved lemmas change what it proposes."""

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """Proofs to try, most promising first."""


CLOSERS = ("assumption", "omega", "(simp_all; done)", "grind", "exact?")
"""General tactics for what a script leaves open."""


def by(lines: Sequence[str]) -> str:
    """A tactic proof of the lines, each of which may hold several indented lines."""
    body = "\n".join(line for line in lines if line)
    return "by\n" + "\n".join(f"  {line}" for line in body.splitlines())


def first(tactics: Sequence[str]) -> str:
    """The first of the tactics that succeeds."""
    return "first | " + " | ".join(tactics)
