"""The holes of a given sketch: every other family at work on each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.close import Close
from ragsolver_agents.formalizer.portfolio.cofactor import Cofactor
from ragsolver_agents.formalizer.portfolio.cycles import Cycles
from ragsolver_agents.formalizer.portfolio.divisor_split import DivisorSplit
from ragsolver_agents.formalizer.portfolio.gcd import Gcd
from ragsolver_agents.formalizer.portfolio.induction import Induction
from ragsolver_agents.formalizer.portfolio.instantiate import Instantiate
from ragsolver_agents.formalizer.portfolio.lemma_use import Lemmas
from ragsolver_agents.formalizer.portfolio.mathlib_close import MathlibClose
from ragsolver_agents.formalizer.portfolio.mathlib_order import MathlibOrder
from ragsolver_agents.formalizer.portfolio.modular import Modular
from ragsolver_agents.formalizer.portfolio.residues import Residues
from ragsolver_agents.formalizer.portfolio.script import CLOSERS, Asked, Family, Script, by
from ragsolver_agents.formalizer.portfolio.witness import Witness
from ragsolver_contracts.lean import HoleView

OPEN = "sketch/open"
"""Strategy of the probe that asks Lean for the holes."""
MAX_TRIES = 24
"""Tries for one hole at most, the first of which that succeeds is taken."""

ROUNDS: tuple[tuple[str, tuple[Family, ...]], ...] = (
    ("close", (Close(), MathlibClose(), Modular(), Witness(), Cofactor())),
    ("lemmas", (Lemmas(), MathlibOrder())),
    ("arithmetic", (Gcd(), Residues(), Cycles(), DivisorSplit())),
    ("induction", (Instantiate(), Induction())),
)
"""Families of each round, after the general closers; those of the rounds before come last."""


@dataclass(frozen=True)
class Sketch:
    """A proof with `sorry`s: all of them filled at once, with more families every round."""

    name: str = "sketch"
    cost: int = 2
    uses_lemmas: bool = True

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """First the sketch as it is, to learn its holes; then it with every hole filled."""
        if not asked.sketch.strip():
            return
        if not asked.holes:
            yield Script(OPEN, asked.sketch, probe=True)
            return
        groups = [_groups(asked, hole) for hole in asked.holes]
        before = ""
        for count, (name, _) in enumerate(ROUNDS, 1):
            tries = [_tries(of_hole[:count]) for of_hole in groups]
            proof = fill(asked.sketch, asked.holes, tries)
            if proof != before:
                chosen = [script for of_hole in tries for script in of_hole]
                preambles = dict.fromkeys(s.preamble for s in chosen if s.preamble)
                cited = dict.fromkeys(citation for s in chosen for citation in s.citations)
                text = "\n\n".join(preambles)
                yield Script(f"sketch/{name}", proof, preamble=text, citations=tuple(cited))
            before = proof


def _groups(asked: Asked, hole: HoleView) -> list[list[Script]]:
    """What the families of each round propose for one hole."""
    question = Asked(hole.view, asked.lemmas, mathlib=asked.mathlib)
    return [[s for family in chosen for s in family.scripts(question)] for _, chosen in ROUNDS]


def _tries(groups: Sequence[Sequence[Script]]) -> list[Script]:
    """General closers, then the newest round's scripts, then those of the rounds before."""
    found = [Script("close", by([tactic])) for tactic in (*CLOSERS, "decide")]
    found += [script for group in reversed(groups) for script in group]
    return list({script.proof: script for script in found}.values())[:MAX_TRIES]


def fill(sketch: str, holes: Sequence[HoleView], tries: Sequence[Sequence[Script]]) -> str:
    """The sketch with the n-th hole replaced by the first of the n-th scripts that succeeds.

    Args:
        sketch: the proof's text; positions of the holes count in it.
        holes: what to replace, in order.
        tries: scripts for each hole, at least one; each is a tactic proof.
    """
    lines = sketch.split("\n")
    for hole, scripts in reversed(list(zip(holes, tries, strict=True))):
        first, last = hole.start.line - 1, hole.end.line - 1
        before, after = lines[first][: hole.start.column], lines[last][hole.end.column :]
        lines[first : last + 1] = [before + _first(scripts, hole, len(before)) + after]
    return "\n".join(lines)


def _first(scripts: Sequence[Script], hole: HoleView, column: int) -> str:
    """`first` over the scripts, so indented that it stands where the hole stood."""
    margin = " " * (column + 4)
    text = "(by first" if hole.is_term else "(first"
    for script in scripts:
        body = [line[2:] for line in script.proof.split("\n")[1:]]
        text += f"\n{margin}| ({body[0]}"
        text += "".join(f"\n{margin}   {line}" for line in body[1:]) + ")"
    return text + ")"
