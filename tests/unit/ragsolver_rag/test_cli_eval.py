import json

import numpy as np
import pytest
from click.testing import CliRunner

from ragsolver_rag import cli_eval
from ragsolver_rag.index_folder import IndexManifest
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.search import Parts
from ragsolver_rag.service import Opened
from ragsolver_rag.settings import RetrieverSettings
from suites import library


@pytest.fixture
def opened(monkeypatch):
    """The commands measure the search of the little library; gives how many dimensions it has."""
    rows = library.rows()

    def _open(settings, dimensions):
        vectors = library.embed([row.embedding_text for row in rows])
        index = MemoryIndex(rows, vectors if dimensions else np.zeros((0, 0), np.float32))
        manifest = IndexManifest(
            version="v", corpus="c", corpus_sha256="", mathlib_tag="Lib", toolchain_digest="",
            encoder="words" if dimensions else "", text_version=1, count=13,
            dimensions=dimensions, built_at="", seconds=1, parser="lean source text",
        )  # fmt: skip
        encoder = library.WordEncoder() if dimensions else None
        return Opened(Parts(index, encoder), manifest, RetrieverSettings())

    def _set(dimensions):
        monkeypatch.setattr(cli_eval, "open_parts", lambda settings: _open(settings, dimensions))

    return _set


@pytest.fixture
def benchmark(tmp_path):
    rows = [
        {"id": "1", "full_name": "Nat.add_comm", "kind": "theorem",
         "q1c_natural": "addition is commutative", "q3_nickname": "add comm"},
        {"id": "2", "full_name": "No.such", "kind": "def", "q2_slogan": "excluded middle"},
    ]  # fmt: skip
    path = tmp_path / "qr.json"
    path.write_text(json.dumps(rows))
    return path


def run(*arguments):
    found = CliRunner().invoke(cli_eval.retrieval, [str(a) for a in arguments])
    assert found.exit_code == 0, found.exception
    return found.stdout


def test_all_variants_are_measured_and_written(opened, benchmark, tmp_path):
    opened(64)
    said = json.loads(
        run("--benchmark", "mathlibqr", "--file", benchmark, "-o", tmp_path / "r", "--no-plots",
            "--json")
    )  # fmt: skip
    names = [v["variant"] for v in said["variants"]]
    assert names == ["dense", "lexical", "hybrid", "lexical+rerank", "hybrid+rerank"]
    assert said["queries"] == 3
    assert said["answers_in_corpus"] == pytest.approx(2 / 3)
    assert said["variants"][-1]["measures"]["R@10"]["mean"] == pytest.approx(2 / 3)
    assert list(said["failures"]) == ["not in the corpus"]
    assert json.loads((tmp_path / "r" / "report.json").read_text()) == said
    lines = (tmp_path / "r" / "outcomes.jsonl").read_text().splitlines()
    assert len(lines) == 15
    assert (tmp_path / "r" / "report.md").read_text().startswith("# mathlibqr: 3 queries")


def test_an_index_without_vectors_has_fewer_variants(opened, benchmark):
    opened(0)
    said = run("--benchmark", "mathlibqr", "--file", benchmark, "--limit", "1")
    assert "| lexical |" in said
    assert "| lexical+rerank |" in said
    assert "dense" not in said


def test_two_tunings_are_compared_query_by_query(opened, benchmark, tmp_path):
    opened(0)
    other = tmp_path / "other.yaml"
    other.write_text("rescoring: {enabled: false}")
    said = run("--benchmark", "mathlibqr", "--file", benchmark, "--variant", "lexical+rerank",
               "--against", other)  # fmt: skip
    assert "lexical+rerank (other) - lexical+rerank" in said


def test_one_ingredient_each_is_left_out(opened, benchmark):
    opened(64)
    said = json.loads(run("--benchmark", "mathlibqr", "--file", benchmark, "--ablate", "--json"))
    names = [v["variant"] for v in said["variants"]]
    assert names[-1] == "full"
    assert {"encoder", "field doc", "neighbouring words", "second stage"} <= set(names)
    assert [c["first"] for c in said["comparisons"]] == names[:-1]


def test_another_file_is_refused(opened, tmp_path):
    opened(0)
    (tmp_path / "x.json").write_text("{}")
    done = CliRunner().invoke(
        cli_eval.retrieval,
        ["--benchmark", "mathlibqr", "--file", str(tmp_path / "x.json")],
    )
    assert "holds no list of rows" in str(done.exception)
