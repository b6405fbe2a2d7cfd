"""An index that answers the same question once: for many rankings of the same candidates."""

from collections.abc import Callable, Sequence

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.facts import Facts
from ragsolver_rag.index import DeclarationRow, Index, Place, Scored, Vector, Vectors
from ragsolver_rag.meaning import Meanings


class RememberingIndex:
    """Remembers what each channel found; for evaluations, whose times then say nothing.

    Filters must always be the same.
    """

    def __init__(self, index: Index) -> None:
        """Remember nothing yet."""
        self._index = index
        self._matching: dict[tuple[tuple[str, ...], int], list[Place]] = {}
        self._near: dict[tuple[str, bytes, int], list[Place]] = {}
        self._rows: dict[int, DeclarationRow] = {}
        self._vectors: dict[tuple[int, ...], Vectors | None] = {}

    def dense(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Scored]:
        """See `Index`; not remembered."""
        return self._index.dense(query, limit, filters)

    def sparse(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Scored]:
        """See `Index`; not remembered."""
        return self._index.sparse(terms, limit, filters)

    def nearest(self, query: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """See `Index`."""
        key = ("nearest", query.tobytes(), limit)
        if key not in self._near:
            self._near[key] = self._index.nearest(query, limit, filters)
        return self._near[key]

    def akin(self, question: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        """See `Index`."""
        key = ("akin", question.tobytes(), limit)
        if key not in self._near:
            self._near[key] = self._index.akin(question, limit, filters)
        return self._near[key]

    def matching(self, terms: Sequence[str], limit: int, filters: RetrievalFilters) -> list[Place]:
        """See `Index`."""
        return self.begin_matching(terms, limit, filters)()

    def begin_matching(
        self, terms: Sequence[str], limit: int, filters: RetrievalFilters
    ) -> Callable[[], list[Place]]:
        """See `Index`."""
        key = (tuple(terms), limit)
        if key not in self._matching:
            self._matching[key] = self._index.matching(terms, limit, filters)
        return lambda: self._matching[key]

    def rows(self, orders: Sequence[int]) -> list[DeclarationRow]:
        """See `Index`."""
        missing = [order for order in dict.fromkeys(orders) if order not in self._rows]
        self._rows.update(zip(missing, self._index.rows(missing), strict=True))
        return [self._rows[order] for order in orders]

    def vectors(self, orders: Sequence[int]) -> Vectors | None:
        """See `Index`."""
        key = tuple(orders)
        if key not in self._vectors:
            self._vectors[key] = self._index.vectors(orders)
        return self._vectors[key]

    def facts(self) -> Facts:
        """See `Index`."""
        return self._index.facts()

    def meanings(self) -> Meanings | None:
        """See `Index`."""
        return self._index.meanings()

    def named(self, names: Sequence[str], filters: RetrievalFilters) -> list[DeclarationRow]:
        """See `Index`; not remembered."""
        return self._index.named(names, filters)

    def names(self) -> Sequence[str]:
        """See `Index`."""
        return self._index.names()
