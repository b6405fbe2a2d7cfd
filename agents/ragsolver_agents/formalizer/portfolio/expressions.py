"""From the elaborated terms of a view to the terms that strategies read.

Whatever a strategy cannot use is `None` for the caller: one that cannot read a statement proposes
nothing.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ragsolver_agents.formalizer.portfolio.terms import Call, Num, Op, Quantifier, Term, Var
from ragsolver_contracts.lean import Expression

ARITHMETIC: Final = MappingProxyType(
    {
        "HAdd.hAdd": "+",
        "HSub.hSub": "-",
        "HMul.hMul": "*",
        "HDiv.hDiv": "/",
        "HMod.hMod": "%",
        "HPow.hPow": "^",
        "Neg.neg": "neg",
        "Nat.cast": "↑",
    }
)
"""Symbols of operations on numbers."""
CONNECTIVES: Final = MappingProxyType(
    {
        "Eq": "=",
        "Ne": "≠",
        "LT.lt": "<",
        "LE.le": "≤",
        "GT.gt": ">",
        "GE.ge": "≥",
        "Dvd.dvd": "∣",
        "And": "∧",
        "Or": "∨",
        "Iff": "↔",
        "Not": "¬",
    }
)
"""Symbols of relations and connectives."""
_CASTS: Final = frozenset({"Nat.cast", "NatCast.natCast", "IntCast.intCast", "Int.ofNat"})
_UNARY: Final = frozenset({"neg", "↑", "¬"})
NUMBERS: Final = frozenset({"", "Nat", "Int"})
"""Sorts of the numbers of core Lean; an expression may not know its sort."""
FIELDS: Final = frozenset({*NUMBERS, "Real", "Rat", "Complex", "NNReal"})
"""These and Mathlib's."""
_TYPES: Final = MappingProxyType({"ℕ": "Nat", "ℤ": "Int"})


class _UnreadableError(ValueError):
    pass


def term_of(expression: Expression | None, numbers: frozenset[str] = NUMBERS) -> Term | None:
    """The term of an expression; none where a part of it is in no strategy's language.

    Args:
        expression: what Lean elaborated.
        numbers: sorts whose arithmetic the strategy reads.
    """
    if expression is None:
        return None
    try:
        return _Reader(numbers).term(expression)
    except _UnreadableError:
        return None


def type_of(expression: Expression | None, text: str) -> str:
    """A type as Lean text without notations, where it can be written, else its own text."""
    try:
        return plain_type(text) if expression is None else _type(expression)
    except _UnreadableError:
        return plain_type(text)


def plain_type(text: str) -> str:
    """A type as core Lean writes it: `Nat` for `ℕ`, `Int` for `ℤ`."""
    for notation, name in _TYPES.items():
        text = text.replace(notation, name)
    return " ".join(text.split())


@dataclass(frozen=True)
class _Reader:
    numbers: frozenset[str]

    def term(self, item: Expression) -> Term:
        if item.kind == "numeral" and item.value is not None:
            if item.sort not in self.numbers:
                raise _UnreadableError(item.sort)
            return Num(item.value)
        if item.kind == "variable":
            return Call(item.name, self._terms(item)) if item.args else Var(item.name)
        if item.kind == "constant":
            return self._constant(item)
        if item.kind == "implies":
            return Op("→", self._terms(item))
        if item.kind == "forall":
            sort, body = item.args
            return Quantifier("∀", item.name, _type(sort), self.term(body))
        raise _UnreadableError(item.kind)

    def _terms(self, item: Expression) -> tuple[Term, ...]:
        return tuple(map(self.term, item.args))

    def _constant(self, item: Expression) -> Term:
        if item.name == "Exists" and item.args and item.args[0].kind == "fun":
            bound = item.args[0]
            sort, body = bound.args
            return Quantifier("∃", bound.name, _type(sort), self.term(body))
        symbol = "↑" if item.name in _CASTS else ARITHMETIC.get(item.name)
        if symbol is not None and item.sort not in self.numbers:
            raise _UnreadableError(f"{item.name} of {item.sort}")
        symbol = symbol or CONNECTIVES.get(item.name)
        if symbol is None:
            return Call(item.name, self._terms(item)) if item.args else Var(item.name)
        if len(item.args) != (1 if symbol in _UNARY else 2):
            raise _UnreadableError(item.name)
        return Op(symbol, self._terms(item))


def _type(item: Expression) -> str:
    if item.kind == "implies":
        left, right = map(_type, item.args)
        return f"({left}) → {right}" if item.args[0].kind == "implies" else f"{left} → {right}"
    if item.kind not in {"constant", "variable"}:
        raise _UnreadableError(item.kind)
    args = [_type(arg) if arg.kind != "numeral" else str(arg.value) for arg in item.args]
    return " ".join([item.name, *(f"({arg})" if " " in arg else arg for arg in args)])
