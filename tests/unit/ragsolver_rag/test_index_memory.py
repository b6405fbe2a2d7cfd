import numpy as np
import pytest

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index_memory import MemoryIndex, admits
from suites import library
from suites.index import *  # noqa: F403 - the behaviour that every index shares


@pytest.fixture(scope="module")
def index():
    rows = library.rows()
    return MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))


def test_every_row_needs_its_vector():
    with pytest.raises(ValueError, match="13 rows but 2 vectors"):
        MemoryIndex(library.rows(), np.zeros((2, 4), np.float32))


def test_an_empty_index_finds_nothing():
    empty = MemoryIndex([], np.zeros((0, 64), np.float32))
    assert empty.dense(library.embed(["x"])[0], 3, RetrievalFilters()) == []
    assert empty.sparse(["x"], 3, RetrievalFilters()) == []


def test_every_filter_that_is_set_must_hold():
    row = library.rows()[0]
    assert admits(row, RetrievalFilters())
    assert admits(row, RetrievalFilters(kinds=("def", "theorem"), doc_ids=(row.doc_id,)))
    assert not admits(row, RetrievalFilters(kinds=("theorem",), doc_ids=("x",)))
