"""The shape of a statement: what is left of it when its variables have no names.

`a + b = b + a` and `n + m = m + n` have the same shape. Shapes are terms of the full-text index
beside the words, so that a goal finds the lemma that says the very same.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b

from ragsolver_rag.statement import Parts

_TOKEN = re.compile(r"[^\W\d][\w']*|\d+|[^\s\w]")
_VARIABLE = re.compile(r"[a-zα-κμ-ω][₀-₉0-9']*|[a-z]s[₀-₉0-9']*|h[a-z][₀-₉']*|[A-Z][₀-₉']*")
_SIDES = re.compile(r"^(.*?) (=|↔|≠) (.*)$", re.DOTALL)
_RELATION = re.compile(r"[=≠<>≤≥∣∧∨¬↔∈∉⊆⊂∃~]")
_BETWEEN_PROPOSITIONS = re.compile(r"[a-z₀-₉'\s()]+→[a-z₀-₉'\s()→]+")
_TELLING = 2
"""Symbols and constants that a shape must have: `a = b` has one and is the shape of too much."""
_PREFIX = "shape"


def shape(*formulas: str) -> str:
    """One term for formulas that share their variables; empty if they say next to nothing.

    Args:
        formulas: Lean propositions, for example hypotheses and conclusion.
    """
    names: dict[str, str] = {}
    kept = []
    telling = 0
    for formula in formulas:
        for piece in _TOKEN.findall(formula):
            if _VARIABLE.fullmatch(piece):
                kept.append(names.setdefault(piece, f"v{len(names)}"))
            elif piece not in "()":
                kept.append(piece)
                telling += 1
        kept.append(";")
    if telling < _TELLING:
        return ""
    digest = blake2b(" ".join(kept).encode(), digest_size=6).hexdigest()
    return f"{_PREFIX}{digest}"


def whole_shapes(parts: Parts, *, both_ways: bool = False) -> list[str]:
    """The shape of a whole statement, conclusion after premises; none if it says next to nothing.

    Args:
        parts: the statement.
        both_ways: also with the two sides of an equation or equivalence exchanged; for queries.
    """
    premises = [h for h in parts.hypotheses if _says_something(h)]
    turned = _exchanged(parts.conclusion) if both_ways else ()
    found = (shape(*premises, conclusion) for conclusion in (parts.conclusion, *turned))
    return [term for term in found if term]


def shapes(parts: Parts, *, both_ways: bool = False) -> list[str]:
    """The shapes by which a statement is found: of all of it, and of its conclusion alone.

    Args:
        parts: the statement.
        both_ways: see `whole_shapes`.
    """
    conclusion = Parts((), parts.conclusion)
    found = [whole_shapes(each, both_ways=both_ways) for each in (parts, conclusion)]
    return list(dict.fromkeys(term for each in found for term in each))


def _exchanged(conclusion: str) -> Iterator[str]:
    sides = _SIDES.match(conclusion)
    if sides is not None:
        yield f"{sides[3]} {sides[2]} {sides[1]}"


def _says_something(hypothesis: str) -> bool:
    """A premise, and not the type of a variable or an instance."""
    return bool(_RELATION.search(hypothesis)) or bool(_BETWEEN_PROPOSITIONS.fullmatch(hypothesis))
