"""Search queries and the area of mathematics, from a statement's identifiers and words."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.problem import Problem

MAX_QUERY = 300

SPOKEN: Mapping[str, str] = MappingProxyType(
    {
        "HAdd.hAdd": "add",
        "HSub.hSub": "sub",
        "HMul.hMul": "mul",
        "HDiv.hDiv": "div",
        "HMod.hMod": "mod",
        "HPow.hPow": "pow",
        "Dvd.dvd": "dvd divides",
        "LT.lt": "lt less than",
        "LE.le": "le at most",
        "GE.ge": "le at least",
        "GT.gt": "lt greater than",
        "Ne": "ne not equal",
        "Exists": "exists",
        "Nat.gcd": "gcd greatest common divisor",
        "Nat.lcm": "lcm least common multiple",
        "Neg.neg": "neg",
        "Or": "or",
        "Not": "not",
    }
)
"""How the library names a constant in its lemmas, and how people call it."""

AREAS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("number_theory", ("Dvd.dvd", "HMod.hMod", "Nat.gcd", "Nat.lcm", "Int.gcd", "Nat.Coprime")),
    ("combinatorics", ("Finset", "Nat.choose", "List.length")),
    ("logic", ("And", "Or", "Iff")),
    ("data_structures", ("List", "Array", "BitVec", "String", "Option")),
    ("algebra", ("HMul.hMul", "HPow.hPow", "HAdd.hAdd", "HSub.hSub")),
)
"""Areas by constants that speak for them; the first that matches."""

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
_IDENTIFIER = re.compile(r"\b[A-Z]\w*(?:\.\w+)+|\b[a-z]+(?:_[a-z0-9]+)+\b")
_PLAIN = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by find for from given has have if in is it let of on or show such "
        "suppose than that the then there this to value we what when where which with",
    )
)


def identifiers(problem: Problem) -> list[str]:
    """Library-like names in the hints and in the words of the problem, in order."""
    texts = [*problem.hints, problem.informal_statement or ""]
    return list(dict.fromkeys(name for text in texts for name in _IDENTIFIER.findall(text)))


def math_area(view: StatementView) -> str:
    """A guess at the area; empty where nothing speaks for one."""
    for area, marks in AREAS:
        for constant in view.constants:
            if any(constant == mark or constant.startswith(f"{mark}.") for mark in marks):
                return area
    return ""


def first_queries(problem: Problem, view: StatementView) -> list[str]:
    """Queries of the first plan: the target, the operations in it, and what the words say."""
    words = _informal(problem)
    hinted = " ".join([*identifiers(problem), *words[:12]])
    return _distinct([view.target, _operations(view), hinted or view.type])[:3]


def other_queries(problem: Problem, view: StatementView, plan: int) -> list[str]:
    """Queries of a later plan: the hypotheses, and consequences under other names."""
    hypotheses = " ".join(binder.type for binder in view.binders if binder.is_prop)
    types = sorted({binder.type for binder in view.binders if not binder.is_prop})
    laws = f"{_operations(view)} {' '.join(types)} iff of_lt of_le comm assoc"
    words = " ".join(_informal(problem)[12 * (plan - 1) :][:20])
    return _distinct([hypotheses or view.type, laws, words or f"{view.target_head} intro"])[:3]


def _operations(view: StatementView) -> str:
    types = {binder.type for binder in view.binders if not binder.is_prop}
    named = [SPOKEN.get(name, name) for name in view.constants if _telling(name)]
    spoken = [name for name in ("Nat", "Int") if any(name in _plain(text) for text in types)]
    return " ".join([*spoken, *named])


def _plain(text: str) -> str:
    return text.replace("ℕ", "Nat").replace("ℤ", "Int")


def _telling(name: str) -> bool:
    """Not an instance, a numeral or a type."""
    last = name.rsplit(".", 1)[-1]
    return name in SPOKEN or (
        not last.startswith("inst")
        and name not in {"Nat", "Int", "Eq", "OfNat.ofNat", "And"}
        and not last.startswith("ofNat")
    )


def _informal(problem: Problem) -> list[str]:
    text = re.sub(r"\$[^$]*\$|\\[A-Za-z]+", " ", problem.informal_statement or "")
    found = (word for word in _WORD.findall(text) if word.lower() not in _PLAIN)
    return list(dict.fromkeys(found))


def _distinct(queries: Iterable[str]) -> list[str]:
    cleaned = (" ".join(query.split())[:MAX_QUERY] for query in queries)
    return list(dict.fromkeys(query for query in cleaned if query))
