"""The port to an index of the formal corpus: what the search needs and nothing more."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.facts import Facts
from ragsolver_rag.meaning import Meanings

Vector = npt.NDArray[np.float32]
"""One embedding, shape `(dimensions,)`, of unit length."""

Vectors = npt.NDArray[np.float32]
"""Shape `(texts, dimensions)`, rows of unit length."""

MATHLIB_UNIT = "mathlib_decl"
"""Unit type of a chunk that is one Lean declaration."""


class IndexDamagedError(Exception):
    """An index that was whole cannot be read any more; says which."""


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
    informal_description: str = ""
    note: str = ""
    """What the documentation of its module says of it."""
    origin: str = ""
    """What made it, where no person wrote it."""
    deprecated: str = ""
    """Date since which it is; empty: it is not."""
    successor: str = ""
    """What stands for it, where it is deprecated or another name."""
    docs_url: str = ""
    popularity: float = 0.0
    """How much the library speaks of what this is about, 0 to 1."""
    search_text: str = ""
    """Search terms, separated by blanks; what the full-text index holds."""
    embedding_text: str = ""
    """What was embedded."""
    fields: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    """Search terms by field; see `verbalize.Texts`. Kept as numbers, not given back."""


class Scored(NamedTuple):
    """A row that a channel found, with that channel's own score (higher is better)."""

    row: DeclarationRow
    score: float


class Place(NamedTuple):
    """A declaration that a channel found, by its order, with that channel's own score."""

    order: int
    score: float


@runtime_checkable
class Index(Protocol):
    """An index of declarations. Implementations are safe to call from several threads.

    Every method may raise `IndexDamagedError`.
    """

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows by cosine similarity, best first, at most `limit`."""
        ...

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25 over the search text, best first, at most `limit`.

        No terms, no rows.
        """
        ...

    def nearest(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `dense`, but only which; none where the index has no vectors."""
        ...

    def matching(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `sparse`, but only which."""
        ...

    def begin_matching(
        self, terms: Sequence[str], limit: int, filters: RetrievalFilters
    ) -> Callable[[], list[Place]]:
        """As `matching`, but the result is asked for later; the search may run meanwhile."""
        ...

    def rows(self, orders: Sequence[int]) -> list[DeclarationRow]:
        """The declarations of these orders, in the order given."""
        ...

    def vectors(self, orders: Sequence[int]) -> Vectors | None:
        """Vectors of these declarations, one row each; none where the index has no vectors."""
        ...

    def meanings(self) -> Meanings | None:
        """What was learned of the words of the corpus; none where too little is documented."""
        ...

    def akin(self, question: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """Nearest rows by their learned vectors, best first; none where nothing was learned."""
        ...

    def facts(self) -> Facts:
        """What the second stage knows of every declaration; read once."""
        ...

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """Rows of these declarations, in the order of the names; unknown ones are left out."""
        ...

    def names(self) -> Sequence[str]:
        """All declaration names."""
        ...
