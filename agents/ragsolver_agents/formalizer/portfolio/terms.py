"""Terms of a statement as strategies read them: arithmetic, relations, connectives, calls.

Nothing here decides what is true; Lean does.
"""

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
    """An operator; symbols as printed, `neg` for the prefix minus, `↑` from `Nat` to `Int`."""

    symbol: str
    args: tuple["Term", ...]


@dataclass(frozen=True)
class Call:
    """A function applied to arguments, for example `Nat.gcd a b` or `u (n + 1)`."""

    function: str
    args: tuple["Term", ...]


@dataclass(frozen=True)
class Quantifier:
    """`∀` or `∃` over one variable."""

    kind: str
    name: str
    type: str
    body: "Term"


Term = Num | Var | Op | Call | Quantifier

RELATIONS = ("=", "≠", "<", "≤", ">", "≥", "∣")


def children(term: Term) -> tuple[Term, ...]:
    """Direct subterms."""
    if isinstance(term, Op | Call):
        return term.args
    if isinstance(term, Quantifier):
        return (term.body,)
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
        return " ".join([term.function, *map(_argument, term.args)])
    if isinstance(term, Quantifier):
        return f"({term.kind} ({term.name} : {term.type}), {render(term.body)})"
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
