"""The texts by which a declaration is found.

Most declarations have no docstring. So the name is read out, the type is split into hypotheses
and conclusion and put into words, and what the module says around a declaration counts too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ragsolver_rag.corpus import Declaration
from ragsolver_rag.lexicon import ENGLISH
from ragsolver_rag.shape import shapes
from ragsolver_rag.statement import Parts, split_type
from ragsolver_rag.tokenize import is_letter, signs, words

_STATES = frozenset({"theorem", "lemma", "axiom"})
"""Kinds whose type is a statement."""
_BODY_SAYS = frozenset({"def", "structure", "class", "inductive"})
"""Kinds whose body says what they are."""
_MOST = {"doc": 160, "note": 80, "context": 30, "conclusion": 120, "hypotheses": 100}
"""Terms that are kept of a field; the first ones say the most."""
_SENTENCE = re.compile(r"(?<=[.:;])\s+(?=[A-Z])")
_EMPHASIS = re.compile(r"\*{1,2}(?=\S)(.+?)(?<=\S)\*{1,2}")
_LEFT_TO_LEAN = re.compile(r":=\s*(?:by\b[^\n]*|inferInstance|rfl)")
_MARKS = re.compile(r"[`*_$]|\[stacks[^\]]*\]")
_SAID_OF_BODY = 400
_SAID_OF_DOC = 400

FIELDS = ("name", "last", "doc", "note", "context", "conclusion", "hypotheses")
"""What a declaration is searched by; see `Texts.fields`."""


class Texts(NamedTuple):
    """What an index holds of one declaration."""

    search: str
    """Terms of the full-text column, separated by blanks."""
    embedding: str
    """What is embedded."""
    fields: Mapping[str, tuple[str, ...]]
    """Search terms by field: the name and its last part, docstring, what the module's lists say,
    titles around it, conclusion or body, hypotheses; and under `shape` its shapes."""


def texts(declaration: Declaration, repeats: Mapping[str, int]) -> Texts:
    """The texts of a declaration.

    Args:
        declaration: what is indexed.
        repeats: how often the terms of each field stand in the full-text column.
    """
    parts = split_type(declaration.type)
    fields = field_terms(declaration, parts)
    found = [
        term
        for name in FIELDS
        for term in fields[name] * repeats.get(name, 1)
        if not is_letter(term)
    ]
    stated = shapes_of(declaration, parts)
    found.extend(stated)
    said = embedding_text(declaration, parts)
    return Texts(" ".join(found), said, {**fields, "shape": tuple(stated)})


def field_terms(declaration: Declaration, parts: Parts) -> dict[str, tuple[str, ...]]:
    """Search terms of each field."""
    said = parts.conclusion
    if declaration.kind in _BODY_SAYS:
        said = f"{said} {_LEFT_TO_LEAN.sub(' ', declaration.value[:_SAID_OF_BODY])}"
    hypotheses = (t for h in dict.fromkeys(parts.hypotheses) for t in signs(h))
    library = declaration.module.partition(".")[2]
    found: dict[str, Iterable[str]] = {
        "name": signs(declaration.name),
        "last": signs(declaration.name.rpartition(".")[2]),
        "doc": signs(unmarked(f"{declaration.informal} {declaration.doc or ''}")),
        "note": signs(unmarked(declaration.note)),
        "context": dict.fromkeys((*signs(declaration.context), *signs(library))),
        "conclusion": signs(said),
        "hypotheses": hypotheses,
    }
    return {field: tuple(of)[: _MOST.get(field)] for field, of in found.items()}


def unmarked(text: str) -> str:
    """Documentation without marks of emphasis, which would be read as products."""
    return _EMPHASIS.sub(r"\1", text)


def shapes_of(declaration: Declaration, parts: Parts) -> list[str]:
    """Shapes by which a statement, or the body of a definition, is recognised."""
    if declaration.kind in _STATES:
        return shapes(parts)
    if declaration.kind == "def" and declaration.value.startswith(":="):
        return shapes(split_type(" ".join(declaration.value[2:].split())))
    return []


def embedding_text(declaration: Declaration, parts: Parts | None = None) -> str:
    """What an encoder reads: what is said of a declaration, its name, its claim, in English."""
    parts = split_type(declaration.type) if parts is None else parts
    conclusion = english(words(parts.conclusion))
    name = english(words(declaration.name))
    said = declaration.informal or declaration.doc or declaration.note
    if not (said or declaration.context):
        return f"{name}: {parts.conclusion}. {conclusion}"
    first = " ".join(_SENTENCE.split(_MARKS.sub("", said[:_SAID_OF_DOC]))[:2])
    about = "" if said else declaration.context
    return ". ".join(filter(None, (" ".join(first.split()).rstrip("."), name, conclusion, about)))


def english(found: Sequence[str]) -> str:
    """Words of names and formulas as words that an English encoder has read."""
    return " ".join(ENGLISH.get(term, term) for term in found if len(term) > 1 or term.isdigit())
