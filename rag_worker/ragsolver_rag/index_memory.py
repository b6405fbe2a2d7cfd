"""An index in memory: exact, small, for tests and for corpora of a few thousand rows."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow, Scored, Vector
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


class MemoryIndex:
    """Rows and their vectors, searched one by one."""

    def __init__(self, rows: Sequence[DeclarationRow], vectors: npt.NDArray[np.float32]) -> None:
        """Keep the rows.

        Args:
            rows: the declarations.
            vectors: shape `(len(rows), dimensions)`, each of unit length.

        Raises:
            ValueError: not one vector per row.
        """
        if len(rows) != len(vectors):
            raise ValueError(f"{len(rows)} rows but {len(vectors)} vectors")
        self._rows = list(rows)
        self._vectors = vectors
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
        scores = self._vectors @ query if self._rows else np.zeros(0, np.float32)
        return self._best(scores.tolist(), limit, filters)

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """Best rows by BM25; see `Index`."""
        scores = [bm25(terms, c, self._weights, self._mean_length) for c in self._counts]
        return [hit for hit in self._best(scores, limit, filters) if hit.score > 0]

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
