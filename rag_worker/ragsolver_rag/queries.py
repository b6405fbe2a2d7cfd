"""What a query becomes in each mode: terms for the full-text index, a text for the encoder."""

import re
from typing import NamedTuple

from ragsolver_contracts.retrieval import Mode
from ragsolver_rag.lexicon import CONNECTIVES, SYMBOLS
from ragsolver_rag.names import identifiers_in, qualified_in
from ragsolver_rag.shape import shapes, whole_shapes
from ragsolver_rag.statement import split_statement
from ragsolver_rag.tokenize import signs, terms
from ragsolver_rag.verbalize import english

_CODE = re.compile(r"`([^`]+)`")
_IMPLIES = re.compile(r"⇒|⟹")
_FORMULA = re.compile(r"[\\$=≤≥<>∀∃∈⊆∩∪⊓⊔⊤⊥→↔∧∨¬∑∏∫‖≠∣+*^/|⨆⨅≃≅⟶𝓝]")
_FORMAL = re.compile(
    r"[" + re.escape("".join(s for s in SYMBOLS if len(s) == 1 and s not in "-?!/.")) + r"]|:"
)


class Query(NamedTuple):
    """One query, ready for the index."""

    terms: tuple[str, ...]
    """Search terms, each once, the important ones first."""
    text: str
    """What is embedded."""
    identifiers: tuple[str, ...]
    """Lean names that it mentions; they may not exist."""
    shapes: tuple[str, ...] = ()
    """Shapes of what it states; a declaration with one of them says the same."""
    sequence: tuple[str, ...] = ()
    """Search terms in the order of the text, repetitions kept."""
    formula: bool = False
    """It holds symbols or LaTeX."""
    stated: tuple[str, ...] = ()
    """Shapes of formulas in it; a declaration with one of them is worth a look."""
    said: tuple[str, ...] = ()
    """Terms in the order of the text as a docstring's are read, for the learned meaning."""


def prepare(text: str, mode: Mode) -> Query:
    """A query by the template of its mode.

    `nl` and `exemplar` read English with formulas in it. `formal` reads a Lean statement or goal:
    the conclusion comes first, hypotheses after it; what does not look like Lean is read as
    English. `error` reads a message of Lean: what counts are the identifiers in it.

    Args:
        text: the query as asked.
        mode: the mode of the request.
    """
    if mode == "error":
        return _message(text)
    if mode == "formal" and _FORMAL.search(text):
        return _statement(text)
    return _sentence(text)


def _sentence(text: str) -> Query:
    kept = tuple(dict.fromkeys(terms(text, CONNECTIVES) or terms(text)))
    sequence = signs(text, CONNECTIVES) or signs(text)
    said = f"{text}. {english(kept)}" if _FORMAL.search(text) or qualified_in(text) else text
    formula = bool(_FORMULA.search(text))
    stated = _stated(text) if formula else ()
    named = tuple(qualified_in(text))
    return Query((*kept, *stated), said, named, (), sequence, formula, stated, signs(text))


def _stated(text: str) -> tuple[str, ...]:
    """Shapes of the Lean formulas in a sentence: of what stands between backticks."""
    found: list[str] = []
    for code in _CODE.findall(text):
        parts = split_statement(_IMPLIES.sub("→", code))
        found.extend(shapes(parts, both_ways=True))
    return tuple(dict.fromkeys(found))


def _statement(text: str) -> Query:
    parts = split_statement(text)
    conclusion = terms(parts.conclusion)
    premises = [t for hypothesis in parts.hypotheses for t in terms(hypothesis)]
    stated = shapes(parts, both_ways=True)
    found = tuple(dict.fromkeys((*stated, *conclusion, *premises)))
    said = f"{parts.conclusion}. {english(conclusion)}"
    same = tuple(whole_shapes(parts, both_ways=True))
    assumed = (sign for hypothesis in parts.hypotheses for sign in signs(hypothesis))
    sequence = (*signs(parts.conclusion), *assumed)
    named = tuple(qualified_in(text))
    return Query(found, said, named, same, sequence, True, tuple(stated), sequence)


def _message(text: str) -> Query:
    named = identifiers_in(text)
    if not named:
        return _statement(text) if "⊢" in text else _sentence(text)
    found = tuple(dict.fromkeys(t for name in named for t in terms(name)))
    return Query(found, english(found), tuple(named), (), found, said=found)
