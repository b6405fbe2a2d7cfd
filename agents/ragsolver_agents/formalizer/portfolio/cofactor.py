"""Polynomial divisibility: an explicit cofactor, found by linear algebra."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from ragsolver_agents.formalizer.portfolio.polynomials import (
    Monomial,
    Polynomial,
    add,
    constant,
    degree,
    multiply,
    polynomial,
    render_polynomial,
    solve,
)
from ragsolver_agents.formalizer.portfolio.reading import Reading, relation_sort
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import Op

MAX_UNKNOWNS = 80


@dataclass(frozen=True)
class Cofactor:
    """`d ∣ e` with `e = d * q` modulo the equations among the hypotheses."""

    name: str = "cofactor"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script where a cofactor exists."""
        reading = asked.reading
        target = reading.target
        if not isinstance(target, Op) or target.symbol != "∣":
            return
        exact = relation_sort(target, reading.sorts) == "Int"
        divisor, dividend = (polynomial(item, exact) for item in target.args)
        if not divisor or dividend is None or not any(divisor):
            return
        cofactor = _cofactor(divisor, dividend, _relations(reading, exact))
        text = render_polynomial(cofactor) if cofactor is not None else None
        if text is not None and (exact or "-" not in text):
            yield Script("cofactor", by([*reading.opening, f"exact ⟨{text}, by grind⟩"]))


def _relations(reading: Reading, exact: bool) -> list[Polynomial]:
    """`left - right` of every polynomial equation among the hypotheses."""
    found: list[Polynomial] = []
    for fact in reading.facts:
        if isinstance(fact.term, Op) and fact.term.symbol == "=":
            sides = [polynomial(item, exact) for item in fact.term.args]
            if sides[0] is not None and sides[1] is not None:
                found.append(add(sides[0], sides[1], -1))
    return found


def _monomials(names: Sequence[str], most: int) -> list[Monomial]:
    found: list[Monomial] = []
    for size in range(most + 1):
        found += [
            tuple((n, chosen.count(n)) for n in sorted(set(chosen)))
            for chosen in combinations_with_replacement(names, size)
        ]
    return found


def _cofactor(
    divisor: Polynomial, dividend: Polynomial, relations: Sequence[Polynomial]
) -> dict[Monomial, Fraction] | None:
    names = sorted({name for item in (divisor, dividend) for m in item for name, _ in m})
    rest = max(map(degree, dividend), default=0) - max(map(degree, divisor))
    if rest < 0 or len(names) > 4:
        return None
    shapes = _monomials(names, rest)
    columns = [multiply(divisor, {shape: Fraction(1)}) for shape in shapes]
    columns += [dict(relation) for relation in relations]
    columns += [multiply(r, {((n, 1),): Fraction(1)}) for r in relations for n in names]
    if len(columns) > MAX_UNKNOWNS:
        return None
    rows = sorted({m for item in (*columns, dividend) for m in item})
    matrix = [[column.get(row, Fraction(0)) for column in columns] for row in rows]
    values = solve(matrix, [dividend.get(row, Fraction(0)) for row in rows])
    if values is None:
        return None
    found = constant(0)
    for shape, value in zip(shapes, values, strict=False):
        found = add(found, {shape: value})
    return found
