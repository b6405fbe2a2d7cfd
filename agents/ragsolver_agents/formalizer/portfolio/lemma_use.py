"""Retrieved lemmas: applied, rewritten with, and given to `simp` and `grind`."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.lemmas import Lemma

HINT = "hint"
"""Kind of a lemma that was named by the problem and not retrieved."""

SINGLE = 6
TOGETHER = 6
INTERNAL = ("Lean.", ".Simproc.", ".Linear.", "._")
"""Marks of lemmas that serve the library's own tactics and no statement."""

CLOSERS = "first | assumption | omega | simp_all"


def _single(lemma: Lemma) -> str:
    name = lemma.name
    return first(
        [
            f"exact {name}",
            f"exact {name} ..",
            f"(apply {name} <;> {CLOSERS})",
            f"(rw [{name}] <;> {CLOSERS})",
            f"(rw [← {name}] <;> {CLOSERS})",
        ]
    )


@dataclass(frozen=True)
class Lemmas:
    """Each of the best lemmas alone, then together as arguments of `grind` and `simp`."""

    name: str = "lemmas"
    cost: int = 1
    uses_lemmas: bool = True

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """Scripts with the citation ids that they try."""
        usable = [
            item
            for item in asked.lemmas
            if item.is_provable
            and item.citation_id
            and not any(mark in item.name for mark in INTERNAL)
        ]
        for lemma in usable[:SINGLE]:
            yield Script(
                f"lemmas/{lemma.name}",
                by(["intros", _single(lemma)]),
                citations=(lemma.citation_id,),
            )
        chosen = usable[:TOGETHER]
        if chosen:
            cited = tuple(item.citation_id for item in chosen)
            names = ", ".join(item.name for item in chosen)
            yield Script("lemmas/simp", by(["intros", f"simp [{names}, *]"]), citations=cited)
            yield Script("lemmas/grind", by(["intros", f"grind [{names}]"]), citations=cited)


@dataclass(frozen=True)
class Hinted:
    """Identifiers that the problem itself names, tried as lemmas.

    One that does not exist gives an `unknown identifier` error, by which the critic looks up
    what was meant.
    """

    name: str = "hinted"
    cost: int = 1
    uses_lemmas: bool = True

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per named identifier."""
        for lemma in [item for item in asked.lemmas if item.kind == HINT][:SINGLE]:
            name = lemma.name
            tries = first([f"exact {name} ..", f"(apply {name} <;> {CLOSERS})", f"simp [{name}]"])
            yield Script(f"hinted/{name}", by(["intros", f"have hl := @{name}", tries]))
