"""Equations with Mathlib: `linear_combination` with a certificate found by linear algebra."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ragsolver_agents.formalizer.portfolio.mathlib_facts import NumberFacts, number_facts
from ragsolver_agents.formalizer.portfolio.polynomials import (
    Monomial,
    Polynomial,
    add,
    multiply,
    polynomial,
    solve,
)
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import Op, Term

MAX_COLUMNS = 60
_ONE: Monomial = ()


@dataclass(frozen=True)
class MathlibRing:
    """A goal `l = r` with `l - r = Σ cᵢ (lᵢ - rᵢ)`, each cᵢ linear; else `nlinarith`."""

    name: str = "mathlib_ring"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """The certificate where there is one; none without Mathlib or for another goal."""
        if not asked.mathlib:
            return
        facts = number_facts(asked.view)
        goal = _difference(facts.target)
        if goal is None:
            return
        combination = _combination(goal, facts)
        if combination:
            yield Script("mathlib_ring/certificate", by([f"linear_combination {combination}"]))
        names = ", ".join(fact.proof for fact in facts.equations)
        if names:
            yield Script("mathlib_ring/nlinarith", by([f"nlinarith [{names}]"]))
            yield Script("mathlib_ring/field", by(["field_simp at *", f"nlinarith [{names}]"]))


def _difference(term: Term | None) -> Polynomial | None:
    """`left - right` of an equation, in a ring with subtraction."""
    if not isinstance(term, Op) or term.symbol != "=":
        return None
    left, right = (polynomial(item, subtraction=True) for item in term.args)
    return None if left is None or right is None else add(left, right, -1)


def _combination(goal: Polynomial, facts: NumberFacts) -> str:
    """The coefficients as Lean writes them; empty where there are none."""
    shapes = [_ONE, *(((name, 1),) for name in facts.variables)]
    names: list[tuple[str, Monomial]] = []
    columns: list[Polynomial] = []
    for fact in facts.equations:
        difference = _difference(fact.term)
        for shape in shapes if difference else ():
            names.append((fact.proof, shape))
            columns.append(multiply(difference or {}, {shape: Fraction(1)}))
    if not columns or len(columns) > MAX_COLUMNS:
        return ""
    rows = sorted({m for item in (*columns, goal) for m in item})
    matrix = [[column.get(row, Fraction(0)) for column in columns] for row in rows]
    found = solve(matrix, [goal.get(row, Fraction(0)) for row in rows])
    if found is None:
        return ""
    used = [(value, *name) for value, name in zip(found, names, strict=True) if value]
    return " + ".join(_summand(value, proof, shape) for value, proof, shape in used)


def _summand(value: Fraction, proof: str, shape: Monomial) -> str:
    factors = [f"({value})", *(name for name, _ in shape), proof]
    return " * ".join(factors)
