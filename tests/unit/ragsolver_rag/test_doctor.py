from pathlib import Path

import pytest

from ragsolver_rag import doctor as under_test
from ragsolver_rag.doctor import findings
from ragsolver_rag.index_folder import IndexManifest

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
    seconds=1.0,
)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))


def by_name():
    return {finding.name: finding for finding in findings()}


def test_a_missing_index_is_set_up_after_lean():
    missing = by_name()["index"]
    assert missing.state == "missing"
    assert missing.setup == ("index", "build")
    assert missing.order > 10
    assert missing.fix == "ragsolver index build"


def test_an_index_is_recorded_by_its_version(monkeypatch):
    monkeypatch.setattr(under_test, "find_index", lambda settings: (Path("x"), MANIFEST))
    found = by_name()["index"]
    assert found.good
    assert found.version == "0123456789ab"
    assert "13 declarations" in found.detail


def test_an_encoder_that_is_not_installed_is_missing(monkeypatch):
    assert by_name()["encoder"].good
    monkeypatch.setattr(under_test, "find_spec", lambda name: None)
    assert by_name()["encoder"].state == "missing"


def test_another_encoder_is_only_noted(monkeypatch):
    monkeypatch.setenv("RAGSOLVER_RETRIEVER__ENCODER", "some/model")
    assert by_name()["encoder"].state == "note"
