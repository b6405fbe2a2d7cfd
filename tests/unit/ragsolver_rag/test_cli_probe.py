import json

import pytest
from click.testing import CliRunner

from ragsolver_rag import cli_probe
from ragsolver_rag.cli import index
from ragsolver_rag.index_folder import IndexManifest
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.search import Parts
from ragsolver_rag.service import Opened
from ragsolver_rag.settings import RetrieverSettings
from suites import library

MANIFEST = IndexManifest(
    version="v", corpus="c", corpus_sha256="", mathlib_tag="Lib", toolchain_digest="",
    encoder="", text_version=1, count=13, dimensions=0, built_at="", seconds=1,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _opened(monkeypatch):
    rows = library.rows()
    rows[0] = rows[0].model_copy(update={"docstring": "Sums may be turned around."})
    rows[3] = rows[3].model_copy(
        update={"deprecated": "2020-01-01", "successor": rows[1].decl_name}
    )
    parts = Parts(MemoryIndex(rows, library.embed([r.embedding_text for r in rows])), None)
    opened = Opened(parts, MANIFEST, RetrieverSettings())
    monkeypatch.setattr(cli_probe, "open_parts", lambda settings: opened)


def test_names_and_vectors_are_measured():
    done = CliRunner().invoke(index, ["probe", "--count", "5", "--json"])
    assert done.exit_code == 0, done.exception
    said = json.loads(done.stdout[done.stdout.index("{") :])
    assert said["names"]["known"]["first"] == 1.0
    assert said["names"]["deprecated"]["first"] == 1.0
    assert said["recall_at_50"] == {}


class Exact(MemoryIndex):
    """An index whose own search is exact."""

    def exact(self, query, limit, filters):
        return self.dense(query, limit, filters)


def test_the_vector_index_is_compared_with_exact_search(monkeypatch):
    rows = library.rows()
    rows[0] = rows[0].model_copy(update={"note": "sums may be turned around"})
    index_of = Exact(rows, library.embed([row.embedding_text for row in rows]))
    opened = Opened(Parts(index_of, library.WordEncoder()), MANIFEST, RetrieverSettings())
    monkeypatch.setattr(cli_probe, "open_parts", lambda settings: opened)
    done = CliRunner().invoke(index, ["probe", "--count", "5", "--json"])
    assert done.exit_code == 0, done.exception
    said = json.loads(done.stdout[done.stdout.index("{") :])
    assert said["recall_at_50"] == {"encoder": 1.0}


def test_it_is_said_in_words():
    done = CliRunner().invoke(index, ["probe", "--count", "5"])
    assert "names, deprecated: 100.0% of 1 come first" in done.stdout
