"""Universal hypotheses at the numerals of the statement."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number
from ragsolver_agents.formalizer.portfolio.reading import Fact, Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import Call, Op, Quantifier, Term, subterms

MAX_INSTANCES = 40
MAX_REACH = 30
"""Recurrences are followed from 0 to numerals up to this."""


@dataclass(frozen=True)
class Instantiate:
    """Instances, simplified, then `omega` or `grind`."""

    name: str = "instantiate"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """Instances at the arguments that occur, then at all numbers up to the greatest."""
        reading = asked.reading
        universal = [f for f in reading.hypotheses if _arity(f.term)]
        if not universal:
            return
        occurring = sorted(_arguments(reading))
        small = [n for n in occurring if n <= 10_000][:8]
        reach = max((n for n in occurring if n <= MAX_REACH), default=3)
        seen = set()
        for pool in (small, list(range(reach + 1))):
            lines = _instances(universal, pool)
            if lines and tuple(lines) not in seen:
                seen.add(tuple(lines))
                closing = first(["omega", "(simp at * <;> omega)", "simp_all", "grind"])
                yield Script("instantiate", by([*reading.opening, *lines, closing]))


def _arity(term: Term) -> int:
    """Leading universal quantifiers over numbers."""
    count = 0
    while isinstance(term, Quantifier) and term.kind == "∀" and term.type in {"Nat", "Int"}:
        count, term = count + 1, term.body
    return count


def _arguments(reading: Reading) -> set[int]:
    """Numerals to which a function variable is applied outside quantifiers, and numerals ≤ 3."""
    found = {0, 1}
    for term in reading.terms:
        for item in subterms(term):
            if isinstance(item, Call) and item.function in reading.functions:
                for argument in item.args:
                    try:
                        found.add(number(argument, {}, {}))
                    except UnknownValueError:
                        continue
    return {n for n in found if n >= 0}


def _instances(universal: Sequence[Fact], pool: Sequence[int]) -> list[str]:
    lines: list[str] = []
    for i, fact in enumerate(universal):
        arity, guarded = _arity(fact.term), _guarded(fact.term)
        for values in product(pool, repeat=arity):
            if len(lines) >= MAX_INSTANCES:
                return lines
            text = " ".join(map(str, values))
            name = f"u{i}_{'_'.join(map(str, values))}"
            side = " (by first | decide | omega)" if guarded else ""
            prefix = "try have" if guarded else "have"
            lines.append(f"{prefix} {name} := {fact.proof} {text}{side}")
    return lines


def _guarded(term: Term) -> bool:
    while isinstance(term, Quantifier):
        term = term.body
    return isinstance(term, Op) and term.symbol == "→"
