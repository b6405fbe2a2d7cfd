import shutil

import numpy as np
import pytest

from ragsolver_rag import build as under_test
from ragsolver_rag.build import build_index, document_row
from ragsolver_rag.corpus import CorpusError, corpus_dir
from ragsolver_rag.index_folder import all_indexes, find_index, indexes_dir, tables_dir
from ragsolver_rag.index_lancedb import LanceIndex
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_runtime.paths import agreement_path
from suites import library

SETTINGS = RetrieverSettings()


@pytest.fixture
def embedded(monkeypatch, tmp_path):
    """A cache with the library as corpus, and word vectors; counts what was embedded."""
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    source = library.write_corpus(corpus_dir("embedded"))
    monkeypatch.setattr(under_test, "make_corpus", lambda corpus, on_count: source)
    counts = []

    def embed(texts, folder, config, *, processes, on_done):
        folder.mkdir(parents=True, exist_ok=True)
        counts.append(len(texts))
        on_done(len(texts))
        return library.embed(texts).astype(np.float16)

    monkeypatch.setattr(under_test, "embed_corpus", embed)
    return counts


def test_an_index_is_built_once(embedded):
    stages = []
    manifest, built = build_index(SETTINGS, progress=lambda *now: stages.append(now[0]))
    assert built
    assert manifest.count == 13
    assert list(dict.fromkeys(stages)) == ["corpus", "texts", "embed", "tables"]
    folder, found = find_index(SETTINGS)
    assert found == manifest
    assert len(LanceIndex(tables_dir(folder, found)).names()) == 13
    assert build_index(SETTINGS) == (manifest, False)
    assert embedded == [13]
    assert [p.name for p in indexes_dir("embedded").glob(".new-*")] == []


def test_force_builds_again(embedded):
    build_index(SETTINGS)
    _, built = build_index(SETTINGS, force=True)
    assert built
    assert embedded == [13, 13]
    find_index(SETTINGS)


def test_an_interrupted_build_leaves_no_index_and_goes_on(embedded, monkeypatch):
    write = under_test.write_index

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(under_test, "write_index", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_index(SETTINGS)
    assert not all_indexes(indexes_dir("embedded"))
    assert not list(indexes_dir("embedded").glob("*/lance*"))
    assert list(indexes_dir("embedded").glob("*/chunks"))
    monkeypatch.setattr(under_test, "write_index", write)
    assert build_index(SETTINGS)[1]


def test_the_agreement_names_toolchain_and_declarations(embedded):
    manifest, _ = build_index(SETTINGS)
    path = agreement_path()
    said = library.read_json(path)
    assert said["toolchain_digest"] == manifest.toolchain_digest == "aa" * 32
    assert said["index_version"] == manifest.version
    assert len(said["names"]) == 13
    assert set(said["names"]) == {row.decl_name for row in library.rows()}
    before = path.read_bytes()
    path.unlink()
    build_index(SETTINGS)
    assert path.read_bytes() == before


def test_the_agreement_follows_the_index_that_was_asked_for_last(embedded):
    build_index(SETTINGS)
    other, _ = build_index(RetrieverSettings(include_generated=True))
    assert library.read_json(agreement_path())["index_version"] == other.version
    first, built = build_index(SETTINGS)
    assert not built
    assert library.read_json(agreement_path())["index_version"] == first.version


def test_a_removed_index_is_built_again(embedded):
    build_index(SETTINGS)
    shutil.rmtree(find_index(SETTINGS)[0])
    assert build_index(SETTINGS)[1]


def test_a_vector_is_made_once_for_all_versions(embedded):
    build_index(SETTINGS)
    everything = RetrieverSettings(include_generated=True)
    manifest, built = build_index(everything)
    assert built
    assert manifest.count == 14
    assert embedded == [13, 1]


def test_an_index_of_words_alone_has_no_vectors_and_is_found_where_there_is_no_other(embedded):
    words_only = RetrieverSettings(dense=False)
    manifest, _ = build_index(words_only)
    assert (manifest.dimensions, manifest.encoder) == (0, "")
    assert embedded == []
    assert find_index(SETTINGS)[1] == manifest


def test_the_document_says_where_a_corpus_comes_from():
    row = document_row(library.manifest(license="MIT", parser="p", parser_version="3"), 14, "v")
    assert (row["license"], row["redistributable"], row["parser"]) == ("MIT", True, "p")
    assert document_row(library.manifest(corpus="own"), 14, "v")["license"] == ""


def test_a_corpus_that_changes_while_it_is_read_makes_no_index(embedded, monkeypatch):
    read = under_test.read_declarations

    def changing(source):
        yield from read(source)
        manifest = library.manifest(sha256="ef" * 32)
        (source / "manifest.json").write_text(manifest.model_dump_json(), "utf-8")

    monkeypatch.setattr(under_test, "read_declarations", changing)
    with pytest.raises(CorpusError, match="changed while it was read"):
        build_index(SETTINGS)
    assert not all_indexes(indexes_dir("embedded"))


def test_damaged_vectors_are_not_taken_over(embedded, monkeypatch):
    _, built = build_index(SETTINGS)
    folder, manifest = find_index(SETTINGS)
    data = next(f for f in manifest.files if "/data/" in f.path and "mathlib" in f.path)
    path = tables_dir(folder, manifest) / data.path
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    _, again = build_index(SETTINGS)
    assert built
    assert again
    assert find_index(SETTINGS)[1].tables != manifest.tables
    assert sum(embedded) == 26
