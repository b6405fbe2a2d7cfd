"""Polynomials with rational coefficients, and linear systems over them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ragsolver_agents.formalizer.portfolio.terms import Num, Op, Term, Var

Monomial = tuple[tuple[str, int], ...]
"""Variables with their exponents, sorted by name."""
Polynomial = Mapping[Monomial, Fraction]

MAX_TERMS = 400
MAX_DEGREE = 12


def constant(value: int | Fraction) -> dict[Monomial, Fraction]:
    """The constant polynomial."""
    return {(): Fraction(value)} if value else {}


def add(
    left: Polynomial, right: Polynomial, factor: int | Fraction = 1
) -> dict[Monomial, Fraction]:
    """`left + factor * right`."""
    total = dict(left)
    for monomial, value in right.items():
        total[monomial] = total.get(monomial, Fraction(0)) + value * factor
    return {monomial: value for monomial, value in total.items() if value}


def multiply(left: Polynomial, right: Polynomial) -> dict[Monomial, Fraction]:
    """The product."""
    total: dict[Monomial, Fraction] = {}
    for first, a in left.items():
        for second, b in right.items():
            monomial = _times(first, second)
            total[monomial] = total.get(monomial, Fraction(0)) + a * b
    return {monomial: value for monomial, value in total.items() if value}


def degree(monomial: Monomial) -> int:
    """Total degree."""
    return sum(exponent for _, exponent in monomial)


def _times(first: Monomial, second: Monomial) -> Monomial:
    exponents = dict(first)
    for name, exponent in second:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def polynomial(term: Term, subtraction: bool) -> dict[Monomial, Fraction] | None:
    """The polynomial that a term is; none where it is not one, or is too large.

    Args:
        term: a number term; a coerced variable counts as the variable.
        subtraction: whether `-` is exact, as in `Int`; in `Nat` it is not polynomial.
    """
    if isinstance(term, Num):
        return constant(term.value)
    if isinstance(term, Var):
        return {((term.name, 1),): Fraction(1)}
    if not isinstance(term, Op):
        return None
    if term.symbol == "^":
        return _power(term, subtraction)
    parts = [polynomial(item, subtraction) for item in term.args]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if term.symbol == "+":
        return add(known[0], known[1])
    if term.symbol == "*":
        product = multiply(known[0], known[1])
        return product if len(product) <= MAX_TERMS else None
    if term.symbol == "-" and subtraction:
        return add(known[0], known[1], -1)
    if term.symbol == "neg":
        return add({}, known[0], -1)
    return None


def _power(term: Op, subtraction: bool) -> dict[Monomial, Fraction] | None:
    base, exponent = polynomial(term.args[0], subtraction), term.args[1]
    if base is None or not isinstance(exponent, Num) or exponent.value > MAX_DEGREE:
        return None
    result = constant(1)
    for _ in range(exponent.value):
        result = multiply(result, base)
        if len(result) > MAX_TERMS:
            return None
    return result


def render_polynomial(value: Polynomial) -> str | None:
    """Lean text with integer coefficients; none where a coefficient is not an integer."""
    if any(coefficient.denominator != 1 for coefficient in value.values()):
        return None
    parts = []
    for monomial, coefficient in sorted(value.items()):
        factors = [f"{name} ^ {power}" if power > 1 else name for name, power in monomial]
        text = " * ".join([str(abs(coefficient.numerator)), *factors])
        parts.append(f"{'-' if coefficient < 0 else '+'} {text}")
    return " ".join(["0", *parts])


def solve(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction] | None:
    """One solution of a linear system, free unknowns 0; none where there is none."""
    system = [[*row, value] for row, value in zip(rows, right, strict=True)]
    width = len(rows[0]) if rows else 0
    pivots: list[int] = []
    for column in range(width):
        done = len(pivots)
        chosen = next((i for i in range(done, len(system)) if system[i][column]), None)
        if chosen is None:
            continue
        system[done], system[chosen] = system[chosen], system[done]
        lead = system[done][column]
        system[done] = [value / lead for value in system[done]]
        for i, row in enumerate(system):
            if i != done and row[column]:
                factor = row[column]
                system[i] = [a - factor * b for a, b in zip(row, system[done], strict=True)]
        pivots.append(column)
    if any(row[-1] for row in system[len(pivots) :]):
        return None
    solution = [Fraction(0)] * width
    for i, column in enumerate(pivots):
        solution[column] = system[i][-1]
    return solution
