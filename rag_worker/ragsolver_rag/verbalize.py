"""The texts by which a declaration is found.

A declaration of Lean's own library has no docstring here, so its name and type are all there is:
the name is read out, the type is split into hypotheses and conclusion.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ragsolver_rag.corpus import Declaration
from ragsolver_rag.lexicon import ENGLISH
from ragsolver_rag.shape import shapes
from ragsolver_rag.statement import split_type
from ragsolver_rag.tokenize import terms

_STATES = frozenset({"theorem", "lemma", "axiom"})
"""Kinds whose type is a statement."""


class Texts(NamedTuple):
    """What an index holds of one declaration."""

    search: str
    """Terms of the full-text column, separated by blanks."""
    embedding: str
    """What is embedded."""


def texts(declaration: Declaration) -> Texts:
    """The texts of a declaration.

    In the full-text column the terms of the name weigh double, those of its last part once more.
    """
    parts = split_type(declaration.type)
    name, conclusion = terms(declaration.name), terms(parts.conclusion)
    found = [*name, *name, *terms(declaration.name.rpartition(".")[2]), *conclusion]
    if declaration.kind in _STATES:
        found.extend(shapes(parts))
    for hypothesis in dict.fromkeys(parts.hypotheses):
        found.extend(terms(hypothesis))
    said = f"{english(name)}: {parts.conclusion}. {english(conclusion)}"
    if declaration.doc:
        found.extend(terms(declaration.doc))
        said = f"{declaration.doc} {said}"
    return Texts(" ".join(found), said)


def english(found: Sequence[str]) -> str:
    """Search terms as words that an English encoder has read."""
    return " ".join(ENGLISH.get(term, term) for term in found)
