import pytest

from ragsolver_verifier import corpus as under_test
from ragsolver_verifier.corpus import embedded
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.export import ExportSummary


def test_the_corpus_lies_in_the_cache(monkeypatch, tmp_path):
    asked = []

    def export(toolchain, folder, exporter, progress):
        asked.append((toolchain, exporter.name))
        progress(3)
        return ExportSummary(folder, 3, "4.0.0", "c", "d", "s", "e", made=True)

    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    monkeypatch.setattr(under_test, "require", lambda: "toolchain")
    monkeypatch.setattr(under_test, "export_declarations", export)
    counts = []
    assert embedded(counts.append) == tmp_path / "corpora" / "embedded"
    assert counts == [3]
    assert asked == [("toolchain", "Export.lean")]


def test_without_toolchain_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    with pytest.raises(ToolchainMissing, match="ragsolver lean install"):
        embedded()
