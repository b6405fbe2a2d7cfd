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
from ragsolver_agents.formalizer.portfolio.script import Asked, Family, Script
from ragsolver_agents.formalizer.portfolio.witness import Witness
from ragsolver_contracts.lean import HoleView

OPEN = "sketch/open"
"""Strategy of the probe that asks Lean for the holes."""
MAX_TRIES = 24
"""Tries for one hole at most, the first of which that succeeds is taken."""

CLOSERS = ("assumption", "omega", "(simp_all; done)", "grind", "decide", "exact?")
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
        before = ""
        for count in range(1, len(ROUNDS) + 1):
            newest_first = reversed(ROUNDS[:count])
            families = [family for _, chosen in newest_first for family in chosen]
            fillings = [_tries(asked, hole, families) for hole in asked.holes]
            preambles = dict.fromkeys(p for _, given in fillings for p in given if p)
            cited = dict.fromkeys(c for tries, _ in fillings for s in tries for c in s.citations)
            proof = fill(asked.sketch, asked.holes, [tries for tries, _ in fillings])
            if proof != before:
                name, text = f"sketch/{ROUNDS[count - 1][0]}", "\n\n".join(preambles)
                yield Script(name, proof, preamble=text, citations=tuple(cited))
            before = proof


def _tries(
    asked: Asked, hole: HoleView, families: Sequence[Family]
) -> tuple[list[Script], list[str]]:
    """The scripts for one hole, closers first, and the preambles that they need."""
    question = Asked(hole.view, asked.lemmas, mathlib=asked.mathlib)
    found = [Script("close", f"by\n  {tactic}") for tactic in CLOSERS]
    found += [script for family in families for script in family.scripts(question)]
    distinct = list({script.proof: script for script in found}.values())
    chosen = distinct[:MAX_TRIES]
    return chosen, [script.preamble for script in chosen]


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
