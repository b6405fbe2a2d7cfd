"""What Mathlib's tactics can use of a statement: numbers of a field, relations by name."""

from dataclasses import dataclass
from functools import lru_cache

from ragsolver_agents.formalizer.portfolio.expressions import FIELDS, term_of, type_of
from ragsolver_agents.formalizer.portfolio.reading import Fact, conjunct_facts
from ragsolver_agents.formalizer.portfolio.terms import Num, Op, Term, Var
from ragsolver_contracts.lean import StatementView

ORDERS = frozenset({"<", "≤", ">", "≥"})
_TYPES = frozenset({"Real", "Rat", "Nat", "Int", "NNReal"})


@dataclass(frozen=True)
class NumberFacts:
    """A statement about numbers of any of Mathlib's number types."""

    variables: tuple[str, ...]
    """Variables of a type of `FIELDS`."""
    facts: tuple[Fact, ...]
    """Readable hypotheses, conjunctions taken apart."""
    target: Term | None

    def positive(self, *, strict: bool = True) -> tuple[str, ...]:
        """Proofs of `0 < x`, or of `0 ≤ x`, that are hypotheses."""
        wanted = {"<", ">"} if strict else {"≤", "≥"}
        return tuple(fact.proof for fact in self.facts if _sign(fact.term, wanted))

    @property
    def equations(self) -> tuple[Fact, ...]:
        """Hypotheses that are equations."""
        return tuple(f for f in self.facts if isinstance(f.term, Op) and f.term.symbol == "=")


@lru_cache(maxsize=64)
def number_facts(view: StatementView) -> NumberFacts:
    """What there is of numbers in a view."""
    names = [
        binder.name
        for binder in view.binders
        if not binder.is_prop and type_of(binder.expression, binder.type) in _TYPES
    ]
    facts: list[Fact] = []
    for binder in view.binders:
        term = term_of(binder.expression, FIELDS) if binder.is_prop else None
        if term is not None:
            facts += conjunct_facts(Fact(binder.name, term))
    return NumberFacts(tuple(names), tuple(facts), term_of(view.expression, FIELDS))


def _sign(term: Term, symbols: set[str]) -> bool:
    if not isinstance(term, Op) or term.symbol not in symbols:
        return False
    small, large = term.args if term.symbol in {"<", "≤"} else term.args[::-1]
    return small == Num(0) and isinstance(large, Var)
