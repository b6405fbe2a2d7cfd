"""Upper bounds of variables, guessed from inequalities, with Lean text that proves them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number
from ragsolver_agents.formalizer.portfolio.polynomials import Polynomial, add, polynomial
from ragsolver_agents.formalizer.portfolio.reading import relation_sort
from ragsolver_agents.formalizer.portfolio.terms import Num, Op, Term, Var, render, variables

FAR = 100_000
"""Bounds beyond this are no bounds."""


@dataclass
class Box:
    """Inclusive bounds; a missing one is infinite."""

    low: dict[str, int]
    high: dict[str, int]


def box(facts: Sequence[Term], sorts: Mapping[str, str]) -> Box:
    """Bounds that follow from the facts by propagation, as a guess."""
    found = Box({name: 0 for name, sort in sorts.items() if sort == "Nat"}, {})
    for _ in range(4):
        for term in facts:
            for left, right in _inequalities(term, sorts):
                _linear(left, right, found, sorts)
                _monotone(left, right, found, sorts)
    return found


def _inequalities(term: Term, sorts: Mapping[str, str]) -> list[tuple[Term, Term]]:
    """Pairs with left ≤ right that a relation says."""
    if not isinstance(term, Op):
        return []
    if term.symbol == "¬" and isinstance(term.args[0], Op):
        opposite = {"<": "≥", "≤": ">", ">": "≤", "≥": "<"}.get(term.args[0].symbol)
        return _inequalities(Op(opposite, term.args[0].args), sorts) if opposite else []
    if term.symbol not in {"=", "<", "≤", ">", "≥"}:
        return []
    left, right = term.args
    one = Num(1)
    pairs: dict[str, list[tuple[Term, Term]]] = {
        "=": [(left, right), (right, left)],
        "≤": [(left, right)],
        "≥": [(right, left)],
        "<": [(Op("+", (left, one)), right)],
        ">": [(Op("+", (right, one)), left)],
    }
    return pairs[term.symbol]


def _linear(left: Term, right: Term, found: Box, sorts: Mapping[str, str]) -> None:
    exact = relation_sort(Op("=", (left, right)), sorts) == "Int"
    sides = polynomial(left, exact), polynomial(right, exact)
    if sides[0] is None or sides[1] is None:
        return
    difference = add(sides[0], sides[1], -1)
    if any(len(m) > 1 or (m and m[0][1] > 1) for m in difference):
        return
    for monomial, coefficient in difference.items():
        if monomial:
            rest = _least(difference, monomial, found)
            if rest is not None:
                name = monomial[0][0]
                if coefficient > 0:
                    value = int(-rest // coefficient)
                    found.high[name] = min(found.high.get(name, value), value)
                else:
                    value = -int(-rest // -coefficient)
                    found.low[name] = max(found.low.get(name, value), value)


def _least(value: Polynomial, without: object, found: Box) -> int | None:
    """Least value of the other terms of a linear polynomial; none where it has none."""
    total = 0
    for monomial, coefficient in value.items():
        if monomial == without:
            continue
        if not monomial:
            total += int(coefficient)
            continue
        bound = (found.low if coefficient > 0 else found.high).get(monomial[0][0])
        if bound is None or coefficient.denominator != 1:
            return None
        total += int(coefficient) * bound
    return total


def is_monotone(term: Term) -> bool:
    """Whether the term is built by `+`, `*` and powers alone."""
    if isinstance(term, Num | Var):
        return True
    if not isinstance(term, Op) or term.symbol not in {"+", "*", "^"}:
        return False
    base_or_exponent = not variables(term.args[0]) or not variables(term.args[1])
    return all(map(is_monotone, term.args)) and (term.symbol != "^" or base_or_exponent)


def _monotone(left: Term, right: Term, found: Box, sorts: Mapping[str, str]) -> None:
    names = variables(left)
    if not names or not is_monotone(left) or any(found.low.get(n, -1) < 0 for n in names):
        return
    try:
        most = number(right, found.high, sorts) if is_monotone(right) else None
    except UnknownValueError:
        return
    if most is None:
        return
    for name in names:
        value = _greatest(left, name, most, found, sorts)
        if value is not None:
            found.high[name] = min(found.high.get(name, value), value)


def _greatest(
    left: Term, name: str, most: int, found: Box, sorts: Mapping[str, str]
) -> int | None:
    """Greatest value of a variable at which the term, others at their least, is at most `most`."""
    least = {n: found.low[n] for n in variables(left)}
    low, step = found.low[name], 1

    def fits(value: int) -> bool:
        try:
            return number(left, {**least, name: value}, sorts) <= most
        except UnknownValueError:
            return False

    if not fits(low):
        return None
    while fits(low + step):
        low, step = low + step, step * 2
        if low > FAR:
            return None
    while step > 1:
        step //= 2
        if fits(low + step):
            low += step
    return low


def proof_of_bound(
    name: str, high: int, facts: Sequence[Term], found: Box, sorts: Mapping[str, str], label: str
) -> str:
    """A `have` that states and proves `name < high + 1`."""
    lines = ["first", "| omega"]
    low = {**found.low, name: high + 1}
    for term in facts:
        for left, _ in _inequalities(term, sorts):
            usable = is_monotone(left) and name in variables(left)
            if usable and all(low.get(n, -1) >= 0 for n in variables(left)):
                integer = relation_sort(term, sorts) == "Int"
                steps = Certificate(low, sorts, integer, label).steps(left)
                if steps:
                    lines += [
                        f"| (apply Classical.byContradiction; intro {label}n",
                        *(f"   {step}" for step in steps),
                        "   omega)",
                    ]
    body = "\n".join(f"  {line}" for line in lines)
    return f"have {label} : {name} < {high + 1} := by\n{body}"


class Certificate:
    """Lower bounds of nonlinear subterms, from lower bounds of the variables, bottom up."""

    def __init__(
        self, low: Mapping[str, int], sorts: Mapping[str, str], integer: bool, label: str
    ) -> None:
        self._low = low
        self._sorts = sorts
        self._integer = integer
        self._label = label
        self._lines: list[str] = []

    def steps(self, term: Term) -> list[str]:
        """`have`s for every product and power in the term; none where one is out of reach."""
        try:
            self._visit(term)
        except UnknownValueError:
            return []
        return self._lines

    def _value(self, term: Term) -> int:
        return number(term, self._low, self._sorts)

    def _visit(self, term: Term) -> None:
        if not isinstance(term, Op) or not variables(term):
            return
        for item in term.args:
            self._visit(item)
        if term.symbol == "+":
            return
        value, name = self._value(term), f"{self._label}c{len(self._lines)}"
        self._lines.append(f"have {name} : {value} ≤ {render(term)} := {self._proof(term)}")

    def _proof(self, term: Op) -> str:
        right = term.args[1]
        shown = [f"(show {self._value(item)} ≤ {render(item)} by omega)" for item in term.args]
        if term.symbol == "*" and self._integer:
            side = "(by omega) (by omega)"
            return f"Int.le_trans (by decide) (Int.mul_le_mul {shown[0]} {shown[1]} {side})"
        if self._integer:
            raise UnknownValueError("powers of integers")
        if term.symbol == "*":
            return f"Nat.le_trans (by decide) (Nat.mul_le_mul {shown[0]} {shown[1]})"
        if not variables(right):
            return f"Nat.le_trans (by decide) (Nat.pow_le_pow_left {shown[0]} {render(right)})"
        return f"Nat.le_trans (by decide) (Nat.pow_le_pow_right (by decide) {shown[1]})"
