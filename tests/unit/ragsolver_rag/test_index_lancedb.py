import numpy as np
import pytest

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_lancedb import LanceIndex, embedded_before
from ragsolver_rag.index_write import write_index
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


def test_a_folder_without_tables_is_no_index(tmp_path):
    with pytest.raises(FileNotFoundError, match="mathlib"):
        LanceIndex(tmp_path)


def test_rows_that_are_not_there_are_damage_and_no_shorter_answer(index):
    with pytest.raises(IndexDamagedError, match="cannot be read"):
        index.rows([0, 13])


@pytest.mark.parametrize("few", [0, 1, 3])
def test_rows_are_the_same_wherever_their_columns_are_kept(monkeypatch, folder, index, few):
    monkeypatch.setattr("ragsolver_rag.index_lancedb._FEW", few)
    assert LanceIndex(folder).rows(range(13)) == index.rows(range(13))


def test_what_was_embedded_is_given_back(folder):
    rows = library.rows()
    wanted = {rows[0].embedding_text, "never embedded"}
    found = embedded_before(folder, wanted)
    assert set(found) == {rows[0].embedding_text}
    assert found[rows[0].embedding_text].dtype == np.float16
    assert embedded_before(folder, set()) == {}
