"""The port to an index of the formal corpus: what the search needs and nothing more."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from ragsolver_contracts.retrieval import RetrievalFilters

Vector = npt.NDArray[np.float32]
"""One embedding, shape `(dimensions,)`, of unit length."""

MATHLIB_UNIT = "mathlib_decl"
"""Unit type of a chunk that is one Lean declaration."""


class DeclarationRow(BaseModel):
    """What an index keeps of one declaration and gives back for a hit."""

    model_config = ConfigDict(frozen=True)

    chunk_id: str
    """`<doc_id>:mathlib_decl:<ordinal>`."""
    doc_id: str
    order: int
    decl_name: str
    kind: str
    module_path: str
    signature: str
    """The type on one line; what a lemma is shown with."""
    type: str
    """The type as Lean prints it."""
    docstring: str = ""
    math_area: str = ""
    popularity: float = 0.0
    """How much the library speaks of what this is about, 0 to 1."""
    search_text: str = ""
    """Search terms, separated by blanks; what the full-text index holds."""
    embedding_text: str = ""
    """What was embedded."""


class Scored(NamedTuple):
    """A row that a channel found, with that channel's own score (higher is better)."""

    row: DeclarationRow
    score: float


@runtime_checkable
class Index(Protocol):
    """An index of declarations. Implementations are safe to call from several threads."""

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows by cosine similarity, best first, at most `limit`."""
        ...

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25 over the search text, best first, at most `limit`.

        No terms, no rows.
        """
        ...

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """Rows of these declarations, in the order of the names; unknown ones are left out."""
        ...

    def names(self) -> Sequence[str]:
        """All declaration names."""
        ...
