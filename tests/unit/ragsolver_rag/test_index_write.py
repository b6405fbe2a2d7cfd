import lancedb
import numpy as np
import pytest

from ragsolver_rag.index_lancedb import LanceIndex
from ragsolver_rag.index_write import write_index
from suites import library


@pytest.fixture
def folder(tmp_path):
    rows = library.rows()
    vectors = library.embed([row.embedding_text for row in rows]).astype(np.float16)
    write_index(tmp_path, {"doc_id": rows[0].doc_id}, rows, vectors, {"pin": "x"})
    return tmp_path


def test_an_index_is_never_written_over(folder):
    rows = library.rows()[:2]
    vectors = library.embed(["a", "b"]).astype(np.float16)
    with pytest.raises(ValueError, match="already exists"):
        write_index(folder, {"doc_id": "d"}, rows, vectors, {})
    assert len(LanceIndex(folder).names()) == 13


def test_words_names_and_kinds_are_indexed(folder):
    assert LanceIndex(folder).about.indexed == {"search_text", "decl_name", "kind"}


def test_constants_and_the_document_are_kept(folder):
    tables = lancedb.connect(folder)
    assert set(tables.open_table("mathlib").to_arrow()["pin"].to_pylist()) == {"x"}
    assert tables.open_table("documents").count_rows() == 1


def test_many_rows_get_a_vector_index(monkeypatch, tmp_path):
    monkeypatch.setattr("ragsolver_rag.index_write.INDEXED_FROM", 13)
    rows = library.rows()
    vectors = library.embed([row.embedding_text for row in rows]).astype(np.float16)
    write_index(tmp_path, {"doc_id": "d"}, rows, vectors, {})
    assert "embedding" in LanceIndex(tmp_path).about.indexed


def test_without_vectors_only_words_find_the_rows(tmp_path):
    write_index(tmp_path, {"doc_id": "d"}, library.rows(), None, {})
    index = LanceIndex(tmp_path)
    assert index.vectors([0]) is None
    assert index.embedded() is None


def test_only_the_version_that_is_read_is_kept(folder):
    for table in ("documents", "mathlib", "vocabulary"):
        kept = list((folder / f"{table}.lance" / "_versions").glob("*.manifest"))
        assert len(kept) == 1, table
