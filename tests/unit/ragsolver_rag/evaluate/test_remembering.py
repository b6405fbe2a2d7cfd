import numpy as np

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.evaluate.remembering import RememberingIndex
from ragsolver_rag.index import Index
from ragsolver_rag.index_memory import MemoryIndex
from suites import library

NO_FILTERS = RetrievalFilters()


class Counted(MemoryIndex):
    """Counts what it is asked."""

    def __init__(self):
        rows = library.rows()
        super().__init__(rows, library.embed([row.embedding_text for row in rows]))
        self.asked = []

    def matching(self, terms, limit, filters):
        self.asked.append("matching")
        return super().matching(terms, limit, filters)

    def nearest(self, query, limit, filters):
        self.asked.append("nearest")
        return super().nearest(query, limit, filters)

    def akin(self, question, limit, filters):
        self.asked.append("akin")
        return super().akin(question, limit, filters)

    def rows(self, orders):
        self.asked.extend(["row"] * len(orders))
        return super().rows(orders)

    def vectors(self, orders):
        self.asked.append("vectors")
        return super().vectors(orders)


def test_everything_is_answered_as_by_the_index_and_asked_once():
    index = Counted()
    found = RememberingIndex(index)
    assert isinstance(found, Index)
    query = library.embed(["addition"])[0]
    for _ in range(2):
        assert found.matching(["add", "comm"], 3, NO_FILTERS)
        assert found.nearest(query, 3, NO_FILTERS)
        assert found.akin(query, 3, NO_FILTERS) == []
        assert [row.order for row in found.rows([2, 0, 2])] == [2, 0, 2]
        assert np.array_equal(found.vectors([1, 2]), index._vectors[[1, 2]])
    assert sorted(index.asked) == ["akin", "matching", "nearest", "row", "row", "vectors"]
    assert found.names() == index.names()
    assert found.facts().count == 13
