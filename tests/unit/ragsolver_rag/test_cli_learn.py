import pytest
from click.testing import CliRunner

from ragsolver_rag import cli_learn
from ragsolver_rag.cli import index
from ragsolver_rag.index_folder import IndexManifest
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.search import Parts
from ragsolver_rag.service import Opened
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import load_tuning
from suites import library

MANIFEST = IndexManifest(
    version="v", corpus="c", corpus_sha256="", mathlib_tag="Lib", toolchain_digest="",
    encoder="words", text_version=1, count=13, dimensions=64, built_at="", seconds=1,
    parser="lean source text",
)  # fmt: skip


@pytest.fixture
def notes(monkeypatch):
    """The little library, with so many notes."""

    def _set(count):
        rows = [
            row.model_copy(
                update={"note": f"note of {row.decl_name} in words"} if n < count else {}
            )
            for n, row in enumerate(library.rows())
        ]
        vectors = library.embed([row.embedding_text for row in rows])
        parts = Parts(MemoryIndex(rows, vectors), library.WordEncoder())
        opened = Opened(parts, MANIFEST, RetrieverSettings())
        monkeypatch.setattr(cli_learn, "open_parts", lambda settings: opened)

    return _set


def test_weights_are_written_as_a_tuning(notes, tmp_path):
    notes(12)
    file = tmp_path / "t.yaml"
    done = CliRunner().invoke(index, ["learn", "--questions", "20", "-o", str(file)])
    assert done.exit_code == 0, done.exception
    assert "mean reciprocal rank" in done.stdout
    learned, shipped = load_tuning(str(file)), load_tuning()
    assert (learned.pool, learned.fusion) == (shipped.pool, shipped.fusion)
    assert learned.rescoring.weights != shipped.rescoring.weights
    assert learned.text == shipped.text


def test_the_same_questions_give_the_same_file(notes, tmp_path):
    notes(12)
    files = [tmp_path / name for name in ("a.yaml", "b.yaml")]
    for file in files:
        CliRunner().invoke(index, ["learn", "--questions", "20", "--seed", "3", "-o", str(file)])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_corpus_without_documentation_teaches_nothing(notes):
    notes(0)
    done = CliRunner().invoke(index, ["learn"])
    assert "documents too few" in str(done.exception)


def test_the_command_is_listed():
    assert "learn" in CliRunner().invoke(index, ["--help"]).stdout
