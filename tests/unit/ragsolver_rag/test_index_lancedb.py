import numpy as np
import pytest

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index_lancedb import LanceIndex, write_index
from suites import library
from suites.index import *  # noqa: F403 - the behaviour that every index shares


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lance")
    rows = library.rows()
    vectors = library.embed([row.embedding_text for row in rows]).astype(np.float16)
    write_index(folder, {"doc_id": rows[0].doc_id, "title": "t"}, rows, vectors, {"pin": "x"})
    return folder


@pytest.fixture(scope="module")
def index(folder):
    return LanceIndex(folder)


def test_the_vector_index_agrees_with_the_exact_search(index):
    """So few rows have no vector index: both ways must be the same."""
    vector = library.embed(["nat add comm"])[0]
    assert index.exact(vector, 5, RetrievalFilters()) == index.dense(vector, 5, RetrievalFilters())


def test_an_index_is_never_written_over(folder):
    rows = library.rows()[:2]
    vectors = library.embed(["a", "b"]).astype(np.float16)
    with pytest.raises(ValueError, match="already exists"):
        write_index(folder, {"doc_id": "d"}, rows, vectors, {})
    assert len(LanceIndex(folder).names()) == 13


def test_a_folder_without_tables_is_no_index(tmp_path):
    with pytest.raises(FileNotFoundError, match="mathlib"):
        LanceIndex(tmp_path)
