import json

import pytest

from ragsolver_rag.corpus import CorpusError, read_declarations
from ragsolver_rag.leansearch import declaration_of, ingest_leansearch, reason_left_out

ROW = {
    "name": ["Nat", "add_comm"],
    "module_name": ["Mathlib", "Nat"],
    "kind": "theorem",
    "signature": "(n m : ℕ) : n + m = m + n",
    "type": "",
    "docstring": None,
    "informal_name": "Commutativity",
    "informal_description": "Sums may be turned around.",
    "docs_url": "https://example.org/Nat",
}


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    return tmp_path


def write(folder, *rows):
    path = folder / "lsv2-mathlib-v4.28.0-rc1.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
    return path


def test_a_line_is_normalised():
    found = declaration_of(ROW)
    assert (found["name"], found["module"]) == ("Nat.add_comm", "Mathlib.Nat")
    assert found["type"] == "∀ (n m : ℕ), n + m = m + n"
    assert found["informal"] == "Commutativity. Sums may be turned around."
    assert found["doc"] == ""
    dotted = declaration_of({"name": "a.b", "module": "M", "kind": "definition", "type": "T"})
    assert (dotted["name"], dotted["kind"], dotted["type"]) == ("a.b", "def", "T")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"name": ["a", "_private"]}, "generated"),
        ({"name": ["a", 3]}, "generated"),
        ({"auto_generated": True}, "generated"),
        ({"module_name": ["Mathlib", "Tactic", "Ring"]}, "tactics"),
        ({"module_name": "Mathlib.Deprecated.X"}, "deprecated"),
        ({"kind": "instance"}, "instances"),
    ],
)
def test_what_is_left_out(changes, why):
    row = ROW | changes
    assert reason_left_out(row, declaration_of(row)) == why


def test_a_file_becomes_a_corpus(cache):
    instance = ROW | {"name": ["inst"], "kind": "instance"}
    path = write(cache, ROW, ROW, instance)
    manifest, left_out = ingest_leansearch(path, "ls")
    assert (manifest.count, manifest.lean_version) == (1, "4.28.0-rc1")
    assert left_out == {"instances": 1, "duplicate": 1}
    assert [d.name for d in read_declarations(cache / "corpora" / "ls")] == ["Nat.add_comm"]
    kept, _ = ingest_leansearch(path, "ls", frozenset({"instances"}))
    assert kept.count == 2
    assert kept.sha256 != manifest.sha256


def test_a_bad_file_is_refused(cache):
    with pytest.raises(CorpusError, match="cannot be read"):
        ingest_leansearch(cache / "no.jsonl", "ls")
    with pytest.raises(CorpusError, match="line 2: no declaration"):
        ingest_leansearch(write(cache, ROW, {"kind": "theorem"}), "ls")
    with pytest.raises(CorpusError, match="no declaration is left"):
        ingest_leansearch(write(cache, ROW | {"kind": "instance"}), "ls")
    assert not (cache / "corpora" / "ls" / "manifest.json").exists()
