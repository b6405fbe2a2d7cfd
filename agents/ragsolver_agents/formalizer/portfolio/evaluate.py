"""The value of a term at given numbers: Lean's semantics of `Nat` and `Int`.

Used to choose what to propose (a modulus, a witness, a counterexample); never to believe it.
"""

import math
from collections.abc import Mapping

from ragsolver_agents.formalizer.portfolio.reading import relation_sort, sort_of
from ragsolver_agents.formalizer.portfolio.terms import Call, Num, Op, Quantifier, Term, Var

MAX_EXPONENT = 5_000
MAX_BITS = 12_000
"""Size of a value; what is larger cannot be written into a script either."""


class UnknownValueError(ValueError):
    """The term has no value here: an unknown function, an unbounded quantifier, too large."""


def truth(term: Term, values: Mapping[str, int], sorts: Mapping[str, str]) -> bool:
    """Truth of a proposition.

    Raises:
        UnknownValueError: it cannot be evaluated.
    """
    if isinstance(term, Var) and term.name in {"True", "False"}:
        return term.name == "True"
    if not isinstance(term, Op):
        raise UnknownValueError("not a proposition that can be evaluated")
    symbol, args = term.symbol, term.args
    if symbol == "¬":
        return not truth(args[0], values, sorts)
    if symbol == "∧":
        return truth(args[0], values, sorts) and truth(args[1], values, sorts)
    if symbol == "∨":
        return truth(args[0], values, sorts) or truth(args[1], values, sorts)
    if symbol == "→":
        return not truth(args[0], values, sorts) or truth(args[1], values, sorts)
    if symbol == "↔":
        return truth(args[0], values, sorts) == truth(args[1], values, sorts)
    return _compare(
        symbol, *(_number(item, values, sorts, relation_sort(term, sorts)) for item in args)
    )


def number(term: Term, values: Mapping[str, int], sorts: Mapping[str, str]) -> int:
    """Value of a number term in its own sort.

    Raises:
        UnknownValueError: it cannot be evaluated.
    """
    return _number(term, values, sorts, sort_of(term, sorts))


def _compare(symbol: str, left: int, right: int) -> bool:
    if symbol == "∣":
        return right == 0 if left == 0 else right % left == 0
    relations = {
        "=": left == right,
        "≠": left != right,
        "<": left < right,
        "≤": left <= right,
        ">": left > right,
        "≥": left >= right,
    }
    if symbol not in relations:
        raise UnknownValueError(symbol)
    return relations[symbol]


def _number(term: Term, values: Mapping[str, int], sorts: Mapping[str, str], sort: str) -> int:
    if isinstance(term, Num):
        return term.value
    if isinstance(term, Var):
        if term.name not in values:
            raise UnknownValueError(term.name)
        return values[term.name]
    if isinstance(term, Call):
        return _call(term, values, sorts)
    if isinstance(term, Quantifier):
        raise UnknownValueError("quantifier")
    if term.symbol == "↑":
        return number(term.args[0], values, sorts)
    if term.symbol == "neg":
        return -_number(term.args[0], values, sorts, "Int")
    if term.symbol == "^":
        base = _number(term.args[0], values, sorts, sort)
        exponent = _number(term.args[1], values, sorts, "Nat")
        if exponent > MAX_EXPONENT or abs(base).bit_length() * exponent > MAX_BITS:
            raise UnknownValueError("too large")
        return int(base**exponent)
    left, right = (_number(item, values, sorts, sort) for item in term.args)
    value = _arithmetic(term.symbol, left, right, sort)
    if value.bit_length() > MAX_BITS:
        raise UnknownValueError("too large")
    return value


def _arithmetic(symbol: str, left: int, right: int, sort: str) -> int:
    if symbol == "+":
        return left + right
    if symbol == "*":
        return left * right
    if symbol == "-":
        return max(left - right, 0) if sort == "Nat" else left - right
    if symbol == "%":
        return left if right == 0 else left % abs(right)
    if symbol == "/":
        return 0 if right == 0 else (left - left % abs(right)) // right
    raise UnknownValueError(symbol)


def _call(term: Call, values: Mapping[str, int], sorts: Mapping[str, str]) -> int:
    args = [number(item, values, sorts) for item in term.args]
    name = term.function.rsplit(".", 1)[-1]
    if name == "gcd":
        return math.gcd(*args)
    if name == "lcm":
        return math.lcm(*args)
    if name == "natAbs":
        return abs(args[0])
    if name == "toNat":
        return max(args[0], 0)
    if name in {"succ", "pred"}:
        return args[0] + 1 if name == "succ" else max(args[0] - 1, 0)
    raise UnknownValueError(term.function)
