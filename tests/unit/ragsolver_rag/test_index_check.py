import numpy as np
import pytest

from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_check import opened_index
from ragsolver_rag.index_files import stored_files
from ragsolver_rag.index_folder import TABLES, IndexManifest
from ragsolver_rag.index_write import write_index
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tokenize import TEXT_VERSION
from suites import library

ENCODER = EncoderConfig.of(RetrieverSettings())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    rows = library.rows()
    vectors = library.embed([row.embedding_text for row in rows]).astype(np.float16)
    write_index(folder / TABLES, {"doc_id": "d"}, rows, vectors, {})
    return folder


@pytest.fixture(scope="module")
def manifest(folder):
    return IndexManifest(
        version="v",
        corpus="mini",
        corpus_sha256="b",
        mathlib_tag="t",
        toolchain_digest="",
        encoder=ENCODER.pin,
        text_version=TEXT_VERSION,
        count=13,
        dimensions=64,
        built_at="",
        seconds=1.0,
        files=stored_files(folder / TABLES),
    )


@pytest.mark.parametrize("whole", [False, True])
def test_a_whole_index_is_opened(folder, manifest, whole):
    assert opened_index(folder, manifest, ENCODER, whole=whole).names()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"count": 12}, "13 declarations instead of 12"),
        ({"dimensions": 32}, "vectors have 64 numbers instead of 32"),
        ({"dimensions": 0}, "vectors have 64 numbers instead of 0"),
        ({"encoder": "other"}, "those of 'other'"),
        ({"text_version": 0}, "terms have version 0"),
        ({"tables": "elsewhere", "files": ()}, "cannot be opened: no table mathlib"),
    ],
)
def test_what_does_not_fit_the_manifest_is_refused(folder, manifest, change, said):
    with pytest.raises(IndexDamagedError, match=said):
        opened_index(folder, manifest.model_copy(update=change), ENCODER)


def test_an_absent_vector_index_is_refused_where_there_should_be_one(
    monkeypatch, folder, manifest
):
    monkeypatch.setattr("ragsolver_rag.index_check.INDEXED_FROM", 13)
    with pytest.raises(IndexDamagedError, match="column embedding has no index"):
        opened_index(folder, manifest, ENCODER)
