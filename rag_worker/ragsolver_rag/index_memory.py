"""An index in memory: exact, small, for tests and for corpora of a few thousand rows."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.facts import Facts, facts_of, priors_of
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow, Place, Scored, Vector, Vectors
from ragsolver_rag.meaning import Meanings
from ragsolver_rag.tokenize import bm25, inverse_document_frequency


def admits(row: DeclarationRow, filters: RetrievalFilters) -> bool:
    """Whether a row satisfies the filters."""
    wanted = (
        (filters.kinds, row.kind),
        (filters.doc_ids, row.doc_id),
        (filters.math_area, row.math_area),
        (filters.unit_types, MATHLIB_UNIT),
    )
    return all(not values or value in values for values, value in wanted)


def facts_of_rows(rows: Sequence[DeclarationRow]) -> Facts:
    """Facts of rows that still have their fields."""
    priors = priors_of(
        [row.popularity for row in rows],
        [row.kind for row in rows],
        [row.origin for row in rows],
        [row.deprecated for row in rows],
        [row.module_path for row in rows],
    )
    return facts_of([row.fields for row in rows], priors)


class MemoryIndex:
    """Rows and their vectors, searched one by one."""

    def __init__(
        self,
        rows: Sequence[DeclarationRow],
        vectors: npt.NDArray[np.float32],
        meanings: Meanings | None = None,
    ) -> None:
        """Keep the rows.

        Args:
            rows: the declarations.
            vectors: shape `(len(rows), dimensions)`, each of unit length; empty for none.
            meanings: what was learned of these very rows.

        Raises:
            ValueError: not one vector per row.
        """
        if vectors.size and len(rows) != len(vectors):
            raise ValueError(f"{len(rows)} rows but {len(vectors)} vectors")
        self._rows = list(rows)
        self._vectors = vectors
        self._meanings = meanings
        self._counts = [Counter(row.search_text.split()) for row in rows]
        containing = Counter(term for counts in self._counts for term in counts)
        self._weights = {
            term: inverse_document_frequency(len(rows), df) for term, df in containing.items()
        }
        lengths = [counts.total() for counts in self._counts]
        self._mean_length = sum(lengths) / len(lengths) if lengths else 0.0
        self._by_name = {row.decl_name: row for row in self._rows}

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Nearest rows by cosine similarity; see `Index`."""
        if not self._vectors.size:
            return []
        scores = self._vectors @ query
        return self._best(scores.tolist(), limit, filters)

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25; see `Index`."""
        scores = [bm25(terms, c, self._weights, self._mean_length) for c in self._counts]
        return [hit for hit in self._best(scores, limit, filters) if hit.score > 0]

    def nearest(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `dense`, but only which; see `Index`."""
        return [Place(hit.row.order, hit.score) for hit in self.dense(query, limit, filters)]

    def matching(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Place]:
        """As `sparse`, but only which; see `Index`."""
        return [Place(hit.row.order, hit.score) for hit in self.sparse(terms, limit, filters)]

    def begin_matching(
        self, terms: Sequence[str], limit: int, filters: RetrievalFilters
    ) -> Callable[[], list[Place]]:
        """As `matching`; nothing runs meanwhile. See `Index`."""
        return partial(self.matching, terms, limit, filters)

    def rows(self, orders: Sequence[int]) -> list[DeclarationRow]:
        """The declarations of these orders; see `Index`."""
        return [self._rows[order] for order in orders]

    def vectors(self, orders: Sequence[int]) -> Vectors | None:
        """Vectors of these declarations; see `Index`."""
        return self._vectors[list(orders)] if self._vectors.size else None

    def meanings(self) -> Meanings | None:
        """See `Index`."""
        return self._meanings

    def akin(self, question: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """See `Index`."""
        if self._meanings is None:
            return []
        scores = self._meanings.declarations.astype(np.float32) @ question
        best = self._best(scores.tolist(), limit, filters)
        return [Place(hit.row.order, hit.score) for hit in best]

    def facts(self) -> Facts:
        """See `Index`."""
        return facts_of_rows(self._rows)

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """Rows of these declarations; see `Index`."""
        found = (self._by_name.get(name) for name in names)
        return [row for row in found if row is not None and admits(row, filters)]

    def names(self) -> Sequence[str]:
        """All declaration names; see `Index`."""
        return list(self._by_name)

    def _best(
        self, scores: Sequence[float], limit: int, filters: RetrievalFilters
    ) -> list[Scored]:
        admitted = (
            Scored(row, score)
            for row, score in zip(self._rows, scores, strict=True)
            if admits(row, filters)
        )
        return sorted(admitted, key=lambda hit: -hit.score)[:limit]
