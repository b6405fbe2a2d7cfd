"""Terms of a statement as Lean pretty-prints them: arithmetic, relations and connectives.

Whatever does not parse is `None` for the caller: a strategy that cannot read a statement proposes
nothing. Nothing here decides what is true; Lean does.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Num:
    """A natural-number literal."""

    value: int


@dataclass(frozen=True)
class Var:
    """A bound variable or a constant without arguments."""

    name: str


@dataclass(frozen=True)
class Op:
    """An operator; symbols as printed, `neg` for the prefix minus, `↑` for a coercion."""

    symbol: str
    args: tuple["Term", ...]


@dataclass(frozen=True)
class Call:
    """A function applied to arguments, for example `Nat.gcd a b` or `u (n + 1)`."""

    function: str
    args: tuple["Term", ...]


@dataclass(frozen=True)
class Quantifier:
    """`∀` or `∃` over one variable, with the relation of a bounded one such as `∀ n ≥ 5`."""

    kind: str
    name: str
    type: str
    bound: "Term | None"
    body: "Term"


Term = Num | Var | Op | Call | Quantifier

RELATIONS = ("=", "≠", "<", "≤", ">", "≥", "∣")

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

MAX_TOKENS = 400
"""Longer texts are not read: what walks over a term may then recurse."""

_MAX = 1024
_TOKEN = re.compile(
    r"\s*(?:(?P<num>\d+)|(?P<name>[^\W\d][\w₀-₉'!?✝]*(?:\.[^\W\d][\w₀-₉'!?✝]*)*)"
    r"|(?P<field>\.[^\W\d][\w₀-₉'!?]*)|(?P<sym>[()\[\]{},:↑↔→∨∧¬=≠<≤>≥∣+\-*/%^∀∃⟨⟩]))"
)
_TYPES = {"ℕ": "Nat", "ℤ": "Int"}


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


def plain_type(text: str) -> str:
    """A type as core Lean writes it: `Nat` for `ℕ`, `Int` for `ℤ`."""
    for notation, name in _TYPES.items():
        text = text.replace(notation, name)
    return " ".join(text.split())


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
        if len(found) > MAX_TOKENS:
            raise _UnreadableError("too long")
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
        if isinstance(head, Call) and head.function.startswith("."):
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
            term = Call(self._take()[1], (term,))
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
        for name, type_ in reversed(names):
            body = Quantifier(kind, name, type_, bound, body)
        if not names:
            raise _UnreadableError("binder")
        return body


def _named(text: str) -> Term:
    """A name; `a.gcd` with a small initial is the function `.gcd` of the variable `a`."""
    if "." in text and text[0].islower():
        variable, function = text.split(".", 1)
        return Call(f".{function}", (Var(variable),))
    return Var(text)


def children(term: Term) -> tuple[Term, ...]:
    """Direct subterms."""
    if isinstance(term, Op | Call):
        return term.args
    if isinstance(term, Quantifier):
        return (term.bound, term.body) if term.bound is not None else (term.body,)
    return ()


def subterms(term: Term) -> Iterator[Term]:
    """Every subterm, inner ones first, the term itself last."""
    for child in children(term):
        yield from subterms(child)
    yield term


def variables(term: Term) -> frozenset[str]:
    """Names of variables and of applied functions."""
    found = {item.name for item in subterms(term) if isinstance(item, Var)}
    return frozenset(found | {item.function for item in subterms(term) if isinstance(item, Call)})


def render(term: Term) -> str:
    """Lean text of a term, fully bracketed."""
    if isinstance(term, Num):
        return str(term.value)
    if isinstance(term, Var):
        return term.name
    if isinstance(term, Call):
        args = [_argument(item) for item in term.args]
        if term.function.startswith("."):
            return " ".join([args[0] + term.function, *args[1:]])
        return " ".join([term.function, *args])
    if isinstance(term, Quantifier):
        binder = f"({term.name} : {term.type})" if term.type else term.name
        if term.bound is not None:
            binder = render(term.bound).strip("()")
        return f"({term.kind} {binder}, {render(term.body)})"
    if term.symbol == "neg":
        return f"(-{_argument(term.args[0])})"
    if term.symbol == "↑":
        return f"(({render(term.args[0])} : Nat) : Int)"
    if term.symbol == "¬":
        return f"(¬ {_argument(term.args[0])})"
    left, right = term.args
    return f"({render(left)} {term.symbol} {render(right)})"


def _argument(term: Term) -> str:
    text = render(term)
    return text if text.startswith("(") or " " not in text else f"({text})"


def conjuncts(term: Term) -> list[Term]:
    """The parts of a conjunction."""
    if isinstance(term, Op) and term.symbol == "∧":
        return conjuncts(term.args[0]) + conjuncts(term.args[1])
    return [term]
