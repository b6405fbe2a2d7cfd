import json

import pytest
from click.testing import CliRunner

from ragsolver_rag.cli_ingest import ingest
from ragsolver_rag.index_folder import find_index
from ragsolver_rag.settings import RetrieverSettings
from suites import lean_tree


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path / "cache"))


def run(*arguments):
    return CliRunner().invoke(ingest, [str(a) for a in arguments])


def test_a_project_is_read_and_indexed_by_words(tmp_path):
    project = lean_tree.write(tmp_path / "p")
    done = run("lean", project, "--json")
    said = json.loads(done.stdout)
    assert said["corpus"]["corpus"] == "mini"
    assert said["files_read"] == 3
    assert said["index"]["dimensions"] == 0
    folder, manifest = find_index(RetrieverSettings(corpus="mini"))
    assert manifest.version == said["index"]["version"]
    assert folder.is_dir()


def test_people_are_told_what_was_found(tmp_path):
    done = run("lean", lean_tree.write(tmp_path / "p"), "--corpus", "own", "--no-index")
    assert "corpus own: 19 declarations of mini Lean 4.30.0" in done.stdout
    assert "3 of 3 files read" in done.stdout
    assert "private, left out: 1" in done.stdout


def test_a_published_file_is_read(tmp_path):
    row = {"name": ["a", "b"], "module_name": ["M"], "kind": "theorem", "type": "True"}
    rows = [row, row | {"name": ["i"], "kind": "instance"}]
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = json.loads(run("leansearch", tmp_path / "f.jsonl", "--json").stdout)
    assert said["left_out"] == {"instances": 1}
    assert (said["corpus"]["corpus"], said["index"]["count"]) == ("f", 1)
    kept = run("leansearch", tmp_path / "f.jsonl", "--include-instances", "--no-index", "--json")
    assert json.loads(kept.stdout)["corpus"]["count"] == 2


def test_failures_are_one_message(tmp_path):
    done = run("lean", tmp_path / "no")
    assert done.exit_code != 0
    assert "is no folder" in str(done.exception)


def test_two_corpora_of_one_library_are_compared(tmp_path):
    project = lean_tree.write(tmp_path / "p")
    for name in ("text", "again"):
        run("lean", project, "--corpus", name, "--no-index")
    done = run("compare", "text", "again")
    assert "19 names in both" in done.stdout
    assert "only in text: 0 (none)" in done.stdout
    said = json.loads(run("compare", "text", "again", "--json").stdout)
    assert said["conclusions_differ"] == 0
    assert "no corpus" in str(run("compare", "text", "none").exception)
