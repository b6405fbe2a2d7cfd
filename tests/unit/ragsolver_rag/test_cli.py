import json

import pytest
from click.testing import CliRunner

from ragsolver_contracts.retrieval import VersionsPin
from ragsolver_rag import cli
from ragsolver_rag.embed import ModelError
from ragsolver_rag.index_folder import IndexManifest
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.search import Parts, Search
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import load_tuning
from suites import library

MANIFEST = IndexManifest(
    version="0123456789ab",
    corpus="embedded",
    corpus_sha256="b" * 64,
    mathlib_tag="lean4-core 4.0.0",
    toolchain_digest="d",
    encoder="e",
    text_version=1,
    count=13,
    dimensions=64,
    built_at="2026-01-01T00:00:00+00:00",
    seconds=61.4,
)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def opened(monkeypatch):
    """Commands search the little library."""
    rows = library.rows()
    index = MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))
    versions = VersionsPin(index_version="v1", mathlib_tag="lib")

    def open_search(settings):
        parts = Parts(index, library.WordEncoder())
        return Search(parts, settings=settings, tuning=load_tuning(), versions=versions)

    monkeypatch.setattr(cli, "open_search", open_search)


def run(command, *arguments):
    return CliRunner().invoke(command, arguments)


def test_hits_are_a_table(opened):
    said = run(cli.search, "commutative", "addition", "-k", "2")
    assert said.exit_code == 0
    assert "Nat.add_comm" in said.output
    assert "∀ (n m : Nat), n + m = m + n" in said.output
    assert "index v1 (lib)" in said.output


def test_square_brackets_of_lean_are_shown(opened):
    said = run(cli.search, "--mode", "error", "List.reverse_reverse")
    assert "List.reverse_reverse" in said.output


def test_machines_get_the_whole_result(opened):
    said = run(cli.search, "gcd", "--kind", "def", "--json")
    result = json.loads(said.output)
    assert [hit["metadata"]["decl_name"] for hit in result["hits"]] == ["Nat.gcd"]
    assert result["trace"]["versions"]["index_version"] == "v1"


def test_no_hit_is_said(opened):
    assert "nothing found" in run(cli.search, "gcd", "--kind", "zebra").output


def test_a_reranker_must_be_configured_to_be_used(opened):
    said = run(cli.search, "gcd", "--rerank")
    assert said.exit_code == 2
    assert "retriever.reranker" in said.output


def test_without_index_the_command_that_builds_it_is_named():
    said = run(cli.search, "gcd")
    assert isinstance(said.exception, cli.RetrievalError)
    assert "ragsolver index build" in str(said.exception)


def test_status_of_nothing():
    said = run(cli.index, "status")
    assert said.exit_code == 1
    assert "ragsolver index build" in said.output
    assert json.loads(run(cli.index, "status", "--json").output)["built"] is False


def test_status(monkeypatch, cache):
    monkeypatch.setattr(cli, "find_index", lambda settings: (cache, MANIFEST))
    said = run(cli.index, "status")
    assert said.exit_code == 0
    assert "13 declarations of lean4-core 4.0.0" in said.output
    assert json.loads(run(cli.index, "status", "--json").output)["version"] == "0123456789ab"


def test_building_tells_how_far_it_is(monkeypatch):
    asked = []

    def build_index(settings, *, force, progress):
        asked.append((settings, force))
        for now in (("corpus", 0, 0), ("embed", 5, 13), ("embed", 6, 13), ("tables", 13, 13)):
            progress(*now)
        return MANIFEST, True

    monkeypatch.setattr(cli, "build_index", build_index)
    said = run(cli.index, "build", "--force", "--set", "retriever.max_tokens=32")
    assert said.exit_code == 0
    assert asked == [(RetrieverSettings(max_tokens=32), True)]
    lines = said.stderr.splitlines()
    assert lines == [
        "collecting declarations",
        "embedding: 5 of 13",
        "writing tables and indices: 13 of 13",
    ]
    assert "built in 61 s" in said.stdout
    machine = run(cli.index, "build", "--json")
    assert json.loads(machine.stdout)["built"] is True


def test_a_missing_model_is_explained(monkeypatch):
    def build_index(settings, *, force, progress):
        raise ModelError("no such encoder")

    monkeypatch.setattr(cli, "build_index", build_index)
    said = run(cli.index, "build")
    assert isinstance(said.exception, cli.RetrievalError)
    assert "no such encoder" in str(said.exception)
