import dataclasses

import pytest

from ragsolver_rag.index_folder import (
    MANIFEST,
    TABLES,
    IndexManifest,
    IndexMissingError,
    find_index,
    index_dir,
    index_version,
    read_index_manifest,
)
from ragsolver_rag.settings import RetrieverSettings
from suites import library

SETTINGS = RetrieverSettings()


def said(**changes):
    values = {
        "version": "0" * 12,
        "corpus": "embedded",
        "corpus_sha256": "b" * 64,
        "mathlib_tag": "t",
        "toolchain_digest": "d",
        "encoder": "e",
        "text_version": 1,
        "count": 13,
        "dimensions": 64,
        "built_at": "2026-01-01T00:00:00+00:00",
        "seconds": 1.0,
    }
    return IndexManifest(**values | changes)


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    "changes",
    [
        {"encoder": "other"},
        {"precision": "float32"},
        {"max_tokens": 32},
        {"include_generated": True},
    ],
)
def test_settings_that_change_the_content_change_the_version(changes):
    other = dataclasses.replace(SETTINGS, **changes)
    assert index_version(library.manifest(), SETTINGS) != index_version(library.manifest(), other)


def test_ranking_settings_do_not_change_the_version():
    other = dataclasses.replace(SETTINGS, reranker="x", docs_url="")
    assert index_version(library.manifest(), SETTINGS) == index_version(library.manifest(), other)


def test_another_toolchain_is_another_version():
    other = library.manifest(toolchain_digest="ff" * 32)
    assert index_version(library.manifest(), SETTINGS) != index_version(other, SETTINGS)


def test_a_missing_corpus_or_index_says_what_to_run(cache):
    with pytest.raises(IndexMissingError, match=r"(?s)corpus .*ragsolver index build"):
        find_index(SETTINGS)
    library.write_corpus(cache / "corpora" / "embedded")
    with pytest.raises(IndexMissingError, match=r"no index .*ragsolver index build"):
        find_index(SETTINGS)


def test_an_index_is_there_when_manifest_and_tables_are(cache):
    folder = index_dir(library.manifest(), SETTINGS)
    assert folder.parent == cache / "index" / "embedded"
    folder.mkdir(parents=True)
    assert read_index_manifest(folder) is None
    (folder / MANIFEST).write_text(said().model_dump_json(), encoding="utf-8")
    assert read_index_manifest(folder) is None
    (folder / TABLES).mkdir()
    assert read_index_manifest(folder) == said()
    (folder / MANIFEST).write_text("{", encoding="utf-8")
    assert read_index_manifest(folder) is None
