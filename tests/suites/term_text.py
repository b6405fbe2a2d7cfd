"""Terms written as Lean prints them, for tests: arithmetic, relations and connectives."""

import re

from ragsolver_agents.formalizer.portfolio.expressions import ARITHMETIC, CONNECTIVES, plain_type
from ragsolver_agents.formalizer.portfolio.terms import (
    RELATIONS,
    Call,
    Num,
    Op,
    Quantifier,
    Term,
    Var,
)
from ragsolver_contracts.lean import Expression

_BINARY = {
    "↔": (20, 21, 21),
    "→": (25, 26, 25),
    "∨": (30, 31, 30),
    "∧": (35, 36, 35),
    **dict.fromkeys(RELATIONS, (50, 51, 51)),
    "+": (65, 65, 66),
    "-": (65, 65, 66),
    "*": (70, 70, 71),
    "/": (70, 70, 71),
    "%": (70, 70, 71),
    "^": (75, 76, 75),
}
"""Precedence of the whole, and the least of the left and of the right argument (Lean's own)."""


_MAX = 1024
_TOKEN = re.compile(
    r"\s*(?:(?P<num>\d+)|(?P<name>[^\W\d][\w₀-₉'!?✝]*(?:\.[^\W\d][\w₀-₉'!?✝]*)*)"
    r"|(?P<field>\.[^\W\d][\w₀-₉'!?]*)|(?P<sym>[()\[\]{},:↑↔→∨∧¬=≠<≤>≥∣+\-*/%^∀∃⟨⟩]))"
)


class _UnreadableError(ValueError):
    pass


def parse(text: str) -> Term | None:
    """The term that `text` prints; none where it is not in this language."""
    try:
        reader = _Reader(_tokens(text))
        term = reader.term(0)
        return term if reader.at_end() else None
    except (ValueError, RecursionError):
        return None


def _tokens(text: str) -> list[tuple[str, str]]:
    found, position = [], 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _UnreadableError(text[position:])
        kind = match.lastgroup or ""
        found.append((kind, match[kind]))
        position = match.end()
    return found


class _Reader:
    """Precedence climbing over tokens."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self._next = 0

    def at_end(self) -> bool:
        return self._next == len(self._tokens)

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._next] if not self.at_end() else ("end", "")

    def _take(self, symbol: str | None = None) -> tuple[str, str]:
        token = self._peek()
        if token[0] == "end" or (symbol is not None and token[1] != symbol):
            raise _UnreadableError(symbol or "end")
        self._next += 1
        return token

    def term(self, least: int) -> Term:
        left, level = self._prefix(least)
        while True:
            _, symbol = self._peek()
            if symbol not in _BINARY:
                return left
            whole, of_left, of_right = _BINARY[symbol]
            if whole < least or level < of_left:
                return left
            self._take()
            left, level = Op(symbol, (left, self.term(of_right))), whole

    def _prefix(self, least: int) -> tuple[Term, int]:
        _, symbol = self._peek()
        if symbol == "¬":
            self._take()
            return Op("¬", (self.term(40),)), _MAX
        if symbol == "-":
            self._take()
            return Op("neg", (self.term(75),)), 75
        if symbol in "∀∃" and symbol:
            return self._quantified(), 0
        return self._application(), _MAX

    def _application(self) -> Term:
        head = self._atom()
        args = []
        while self._peek()[0] in {"num", "name"} or self._peek()[1] in {"(", "↑"}:
            args.append(self._atom())
        if not args:
            return head
        if isinstance(head, Var):
            return Call(head.name, tuple(args))
        if isinstance(head, Call):
            return Call(head.function, (*head.args, *args))
        raise _UnreadableError("application")

    def _atom(self) -> Term:
        kind, value = self._take()
        if kind == "num":
            term: Term = Num(int(value))
        elif kind == "name":
            term = _named(value)
        elif value == "↑":
            term = Op("↑", (self._atom(),))
        elif value == "(":
            term = self.term(0)
            if self._peek()[1] == ":":
                self._take()
                self._skip_type()
            self._take(")")
        else:
            raise _UnreadableError(value)
        while self._peek()[0] == "field":
            term = Call(f"Nat{self._take()[1]}", (term,))
        return term

    def _skip_type(self) -> str:
        words = []
        while self._peek()[1] not in {")", ",", ""}:
            words.append(self._take()[1])
        return plain_type(" ".join(words))

    def _quantified(self) -> Term:
        _, kind = self._take()
        names: list[tuple[str, str]] = []
        bound: Term | None = None
        while self._peek()[1] == "(":
            self._take()
            group = []
            while self._peek()[0] == "name":
                group.append(self._take()[1])
            self._take(":")
            type_ = self._skip_type()
            self._take(")")
            names += [(name, type_) for name in group]
        if not names:
            while self._peek()[0] == "name":
                names.append((self._take()[1], ""))
            if self._peek()[1] in RELATIONS and len(names) == 1:
                relation = self._take()[1]
                bound = Op(relation, (Var(names[0][0]), self.term(51)))
            elif self._peek()[1] == ":":
                self._take()
                type_ = self._skip_type()
                names = [(name, type_) for name, _ in names]
        self._take(",")
        body = self.term(0)
        if bound is not None:
            body = Op("→" if kind == "∀" else "∧", (bound, body))
        for name, type_ in reversed(names):
            body = Quantifier(kind, name, type_ or "Nat", body)
        if not names:
            raise _UnreadableError("binder")
        return body


def _named(text: str) -> Term:
    """A name; `a.gcd` with a small initial is `Nat.gcd a`."""
    if "." in text and text[0].islower():
        variable, function = text.split(".", 1)
        return Call(f"Nat.{function}", (Var(variable),))
    return Var(text)


_NAMES = {symbol: name for name, symbol in [*ARITHMETIC.items(), *CONNECTIVES.items()]}


def expression(text: str) -> Expression | None:
    """The expression that a text stands for; none where it is not in this language."""
    term = parse(plain_type(text))
    return None if term is None else _expression(term)


def _expression(term: Term) -> Expression:
    if isinstance(term, Num):
        return Expression(kind="numeral", value=term.value, sort="Nat")
    if isinstance(term, Var):
        known = "." in term.name or term.name in {"True", "False", "Nat", "Int"}
        return Expression(kind="constant" if known else "variable", name=term.name)
    if isinstance(term, Call):
        kind = "constant" if "." in term.function else "variable"
        return Expression(kind=kind, name=term.function, args=tuple(map(_expression, term.args)))
    if isinstance(term, Quantifier):
        sort = Expression(kind="constant", name=term.type)
        parts = (sort, _expression(term.body))
        if term.kind == "∀":
            return Expression(kind="forall", name=term.name, args=parts)
        body = Expression(kind="fun", name=term.name, args=parts)
        return Expression(kind="constant", name="Exists", sort=term.type, args=(body,))
    args = tuple(map(_expression, term.args))
    if term.symbol == "→":
        return Expression(kind="implies", args=args)
    return Expression(kind="constant", name=_NAMES[term.symbol], args=args)
