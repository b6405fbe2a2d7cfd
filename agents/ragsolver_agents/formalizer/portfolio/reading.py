"""A statement's view, read: variables with their sorts, hypotheses and the target as terms."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ragsolver_agents.formalizer.portfolio.expressions import term_of, type_of
from ragsolver_agents.formalizer.portfolio.terms import (
    RELATIONS,
    Call,
    Op,
    Quantifier,
    Term,
    Var,
    subterms,
    variables,
)
from ragsolver_contracts.lean import StatementView

NUMBERS = ("Nat", "Int")


@dataclass(frozen=True)
class Fact:
    """A hypothesis or a conjunct of one."""

    proof: str
    """Lean term that proves it, for example `h₀.2.1`."""
    term: Term


@dataclass(frozen=True)
class Reading:
    """What a strategy needs to know of a statement."""

    opening: tuple[str, ...]
    """Tactics that introduce what stands after the colon."""
    sorts: Mapping[str, str]
    """Type of each number variable, `Nat` or `Int`."""
    functions: Mapping[str, str]
    """Type of every other variable that is not a hypothesis."""
    hypotheses: tuple[Fact, ...]
    """Readable hypotheses, whole."""
    facts: tuple[Fact, ...]
    """Their conjuncts."""
    names: tuple[str, ...]
    """Names of all hypotheses that can be referred to, readable or not."""
    target: Term | None

    @property
    def naturals(self) -> tuple[str, ...]:
        """Variables of type `Nat`."""
        return tuple(name for name, sort in self.sorts.items() if sort == "Nat")

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every readable part."""
        parts = [fact.term for fact in self.hypotheses]
        return (*parts, self.target) if self.target is not None else tuple(parts)

    @property
    def closed(self) -> bool:
        """Whether there is nothing to vary."""
        return not self.sorts and not self.functions


def read(view: StatementView) -> Reading:
    """The reading of a view; parts that are not arithmetic are left out."""
    variables: dict[str, str] = {}
    stated: dict[str, Term | None] = {}
    for binder in view.binders:
        variables.pop(binder.name, None)
        stated.pop(binder.name, None)
        if binder.is_prop:
            stated[binder.name] = term_of(binder.expression)
        else:
            variables[binder.name] = type_of(binder.expression, binder.type)
    target = term_of(view.expression)
    introduced: list[str] = []
    hypotheses = [Fact(name, term) for name, term in stated.items() if term is not None]
    while isinstance(target, Quantifier | Op):
        if isinstance(target, Quantifier) and target.kind == "∀":
            introduced.append(target.name)
            variables[target.name] = target.type
            target = target.body
        elif isinstance(target, Op) and target.symbol == "→":
            introduced.append(_fresh("hi", introduced, stated))
            hypotheses.append(Fact(introduced[-1], target.args[0]))
            target = target.args[1]
        else:
            break
    opening = (f"intro {' '.join(introduced)}",) if introduced else ()
    numbers = {name: sort for name, sort in variables.items() if sort in NUMBERS}
    others = {name: sort for name, sort in variables.items() if sort not in NUMBERS}
    return Reading(
        opening=opening,
        sorts=MappingProxyType(numbers),
        functions=MappingProxyType(others),
        hypotheses=tuple(hypotheses),
        facts=tuple(part for fact in hypotheses for part in conjunct_facts(fact)),
        names=tuple(dict.fromkeys([*stated, *(fact.proof for fact in hypotheses)])),
        target=target,
    )


def _fresh(stem: str, introduced: list[str], stated: Mapping[str, Term | None]) -> str:
    taken = set(introduced) | set(stated)
    return next(name for n in range(1000) if (name := f"{stem}{n}") not in taken)


def conjunct_facts(fact: Fact) -> list[Fact]:
    """The conjuncts of a fact with their proofs; itself where it is no conjunction."""
    if isinstance(fact.term, Op) and fact.term.symbol == "∧":
        left, right = fact.term.args
        return [
            *conjunct_facts(Fact(f"{fact.proof}.1", left)),
            *conjunct_facts(Fact(f"{fact.proof}.2", right)),
        ]
    return [fact]


def sort_of(term: Term, sorts: Mapping[str, str]) -> str:
    """`Int` where an integer variable or a coercion occurs in the number, else `Nat`."""
    if isinstance(term, Op) and term.symbol in {"↑", "neg"}:
        return "Int"
    if isinstance(term, Op) and term.symbol == "^":
        return sort_of(term.args[0], sorts)
    if isinstance(term, Op) and term.symbol in "+-*/%":
        return "Int" if any(sort_of(item, sorts) == "Int" for item in term.args) else "Nat"
    if isinstance(term, Var):
        return sorts.get(term.name, "Nat")
    return "Nat"


def relation_sort(term: Term, sorts: Mapping[str, str]) -> str:
    """Sort of the two sides of a relation."""
    if isinstance(term, Op) and term.symbol in RELATIONS:
        return "Int" if any(sort_of(item, sorts) == "Int" for item in term.args) else "Nat"
    return "Nat"


def explosive(reading: Reading) -> bool:
    """Whether a variable that a hypothesis defines stands in an exponent.

    Replacing it by its value can build a number that no memory holds.
    """
    defined = {
        fact.term.args[0].name
        for fact in reading.facts
        if isinstance(fact.term, Op)
        and fact.term.symbol == "="
        and isinstance(fact.term.args[0], Var)
    }
    return any(
        isinstance(item, Op) and item.symbol == "^" and variables(item.args[1]) & defined
        for term in reading.terms
        for item in subterms(term)
    )


def has_modulus(reading: Reading) -> bool:
    """Whether remainders or divisibility occur."""
    return any(
        isinstance(item, Op) and item.symbol in {"%", "∣"}
        for term in reading.terms
        for item in subterms(term)
    )


def calls(reading: Reading, *functions: str) -> list[Call]:
    """Distinct applications of one of the functions, outside quantifiers' bodies too."""
    found = [
        item
        for term in reading.terms
        for item in subterms(term)
        if isinstance(item, Call) and item.function in functions
    ]
    return list(dict.fromkeys(found))
