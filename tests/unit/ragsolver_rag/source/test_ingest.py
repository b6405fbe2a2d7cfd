import pytest

from ragsolver_rag.corpus import CorpusError, read_declarations, read_manifest
from ragsolver_rag.source.ingest import ingest_source
from ragsolver_rag.source.tree import find_tree
from suites import lean_tree


@pytest.fixture
def project(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path / "cache"))
    return lean_tree.write(tmp_path / "p")


def test_a_tree_becomes_a_corpus(project):
    stages = []
    found = ingest_source(find_tree(project), "mini", progress=lambda *now: stages.append(now[0]))
    folder = project.parent / "cache" / "corpora" / "mini"
    assert read_manifest(folder) == found.manifest
    names = {d.name: d for d in read_declarations(folder)}
    assert len(names) == found.manifest.count == 19
    assert names["Mini.older_comm"].successor == "Mini.Join.mul_comm"
    assert names["Mini.Join.mul_comm"].mentions == 4
    assert (found.files, found.files_read, found.private) == (3, 3, 1)
    assert found.by_origin["alias"] == 2
    assert found.manifest.tag.startswith("mini Lean 4.30.0 ")
    assert set(stages) == {"read", "assemble"}


def test_only_what_changed_is_read_again(project):
    first = ingest_source(find_tree(project), "mini")
    again = ingest_source(find_tree(project), "mini")
    assert again.files_read == 0
    assert again.manifest == first.manifest
    (project / "Mini" / "Base.lean").write_text("theorem other : True := trivial\n")
    changed = ingest_source(find_tree(project), "mini")
    assert changed.files_read == 1
    assert changed.manifest.sha256 != first.manifest.sha256
    (project / "Mini" / "Lattice.lean").unlink()
    assert ingest_source(find_tree(project), "mini").manifest.count == 1


def test_a_damaged_memory_is_not_used(project):
    first = ingest_source(find_tree(project), "mini")
    (project.parent / "cache" / "corpora" / "mini" / "files.jsonl.gz").write_bytes(b"broken")
    again = ingest_source(find_tree(project), "mini")
    assert again.files_read == 3
    assert again.manifest == first.manifest


def test_a_file_that_is_no_text_is_said_and_nothing_at_all_is_refused(project):
    (project / "Mini" / "Base.lean").write_bytes(b"\xff\xfe")
    assert "Base.lean" in ingest_source(find_tree(project), "mini").unreadable[0]
    (project / "Mini" / "Lattice.lean").write_text("")
    with pytest.raises(CorpusError, match="no declaration"):
        ingest_source(find_tree(project), "mini")


def test_several_processes_read_the_same(project, monkeypatch):
    from ragsolver_rag.source import ingest as under_test

    one = ingest_source(find_tree(project), "one", processes=1)
    monkeypatch.setattr(under_test, "_CHUNK", 1)
    two = ingest_source(find_tree(project), "two", processes=2)
    assert two.manifest.sha256 == one.manifest.sha256
