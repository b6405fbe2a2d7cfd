"""Variables that a hypothesis defines are replaced by what they are."""

from collections.abc import Mapping

from ragsolver_agents.formalizer.portfolio.reading import Fact, Reading, sort_of
from ragsolver_agents.formalizer.portfolio.terms import (
    Call,
    Op,
    Quantifier,
    Term,
    Var,
    variables,
)


def replace(term: Term, by: Mapping[str, Term]) -> Term:
    """The term with variables replaced; a bound variable hides the outer one."""
    if isinstance(term, Var):
        return by.get(term.name, term)
    if isinstance(term, Op):
        return Op(term.symbol, tuple(replace(item, by) for item in term.args))
    if isinstance(term, Call):
        return Call(term.function, tuple(replace(item, by) for item in term.args))
    if isinstance(term, Quantifier):
        inner = {name: value for name, value in by.items() if name != term.name}
        return Quantifier(term.kind, term.name, term.type, replace(term.body, inner))
    return term


def eliminate(reading: Reading) -> tuple[list[str], list[Fact], Term, dict[str, str]]:
    """Substitution of every hypothesis `x = e`.

    Returns:
        Tactics, the facts and the target that are left, and the sorts of the variables left.
    """
    assert reading.target is not None  # noqa: S101 - the caller looked
    tactics: list[str] = []
    facts, target, sorts = list(reading.hypotheses), reading.target, dict(reading.sorts)
    for fact in reading.hypotheses:
        current = next((f for f in facts if f.proof == fact.proof), None)
        if current is None or not isinstance(current.term, Op) or current.term.symbol != "=":
            continue
        for one, other in (current.term.args, current.term.args[::-1]):
            if (
                isinstance(one, Var)
                and one.name in sorts
                and one.name not in variables(other)
                and sort_of(other, sorts) == sorts[one.name]
                and variables(other) <= set(sorts)
            ):
                tactics.append(f"subst {fact.proof}")
                value = {one.name: other}
                facts = [Fact(f.proof, replace(f.term, value)) for f in facts if f is not current]
                target = replace(target, value)
                sorts.pop(one.name)
                break
    return tactics, facts, target, sorts
