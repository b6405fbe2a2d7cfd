import numpy as np
import pytest

from ragsolver_contracts.retrieval import VersionsPin
from ragsolver_rag.features import FEATURES
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.learn import HIDDEN, Sample, Sampler, learn, questions
from ragsolver_rag.ranking import Rescorer
from ragsolver_rag.search import Parts, Search
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tokenize import terms
from ragsolver_rag.tuning import Tuning
from suites import library

EVENLY = {"note": 0.4, "doc": 0.3, "name": 0.3}
COSINE = FEATURES.index("cosine")
COVER, POPULAR = FEATURES.index("cover"), FEATURES.index("popularity")


class Embedding:
    """An encoder of documents."""

    def embed(self, texts):
        return library.embed(texts)


def documented():
    changes = {
        "Nat.add_comm": {"note": "the order of a sum does not matter", "docstring": "It is."},
        "Nat.gcd": {"docstring": "The **greatest divisor** of two numbers. More."},
        "Nat.mul_comm": {"note": "made by a machine or so", "origin": "simps"},
    }
    rows = [row.model_copy(update=changes.get(row.decl_name, {})) for row in library.rows()]
    return [row.model_copy(update={"fields": {**row.fields, **_said(row)}}) for row in rows]


def _said(row):
    return {"doc": terms(row.docstring), "note": terms(row.note)}


def sample(answer, seed):
    """Three candidates; what covers the query is right, popularity is noise."""
    rows = np.zeros((3, len(FEATURES)), np.float32)
    rows[:, POPULAR] = np.random.default_rng(seed).random(3)
    rows[answer, COVER] = 1.0
    return Sample(rows, answer, "note")


def test_questions_come_from_documentation_of_what_people_wrote():
    asked = questions(documented(), 100, seed=1, shares=EVENLY)
    assert {(q.kind, q.text) for q in asked} == {
        ("note", "the order of a sum does not matter"),
        ("doc", "The greatest divisor of two numbers."),
        ("name", "greatest common divisor"),
    }
    assert questions(documented(), 100, seed=1, shares=EVENLY) == asked
    assert {q.kind for q in questions(documented(), 100, seed=1)} == {"note", "name"}


def test_samples_hide_what_the_question_was_taken_from():
    rows = documented()
    index = MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))
    parts = Parts(index, library.WordEncoder())
    search = Search(parts, settings=RetrieverSettings(), tuning=Tuning(), versions=VersionsPin())
    asked = [q for q in questions(rows, 100, 1, EVENLY) if q.kind == "note"]
    found = list(Sampler(index, Rescorer(index, Tuning()), search.candidates).samples(asked))
    assert "note" in HIDDEN["note"]
    assert len(found) == 1
    assert not found[0].rows[:, FEATURES.index("has_note")].any()


def documented_sampler(meanings=None):
    rows = documented()
    index = MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))
    parts = Parts(index, library.WordEncoder())
    search = Search(parts, settings=RetrieverSettings(), tuning=Tuning(), versions=VersionsPin())
    return rows, Sampler(
        index, Rescorer(index, Tuning(), meanings), search.candidates, Embedding()
    )


def test_a_docstring_asks_among_those_of_whom_nothing_is_said():
    rows, sampler = documented_sampler()
    asked = [q for q in questions(rows, 100, 1, EVENLY) if q.kind == "doc"]
    (found,) = sampler.samples(asked)
    documented_ones = sum(bool(row.docstring or row.note) for row in rows)
    assert 1 < len(found.rows) <= len(rows) - documented_ones + 1
    assert not found.rows[:, FEATURES.index("has_doc")].any()
    assert found.rows[:, COSINE].any()


def told(kind, column):
    """Samples whose answer a single feature tells."""
    samples = [sample(seed % 3, seed) for seed in range(60)]
    for each in samples:
        each.rows[:] = 0.0
        each.rows[each.answer, FEATURES.index(column)] = 1.0
    return [Sample(each.rows, each.answer, kind) for each in samples]


@pytest.mark.parametrize(
    ("kind", "column", "heard"),
    [
        ("doc", "cosine", True), ("note", "cosine", False), ("name", "cosine", False),
        ("note", "kind_def", True), ("doc", "kind_def", False), ("doc", "popularity", False),
    ],
)  # fmt: skip
def test_a_kind_of_question_teaches_what_it_can_tell(kind, column, heard):
    weights = learn(told(kind, column), {}).weights
    assert (weights.get(column, 0.0) > 1) == heard


def test_what_tells_the_answer_gets_the_weight():
    found = learn([sample(seed % 3, seed) for seed in range(60)], {"has_note": 2.0})
    assert found.first == 1.0
    assert found.reciprocal_rank == 1.0
    assert found.weights["cover"] > 5 * abs(found.weights["popularity"])
    assert found.weights["has_note"] == 2.0
    assert (found.questions, found.held_out) == (48, 12)


def test_a_note_counts_as_half_a_docstring():
    samples = [sample(seed % 3, seed) for seed in range(60)]
    for each in samples:
        each.rows[each.answer, FEATURES.index("cover_doc")] = 1.0
    weights = learn(samples, {}).weights
    assert weights["cover_note"] == pytest.approx(weights["cover_doc"] / 2, abs=1e-3)


def test_too_few_questions_are_refused():
    with pytest.raises(ValueError, match="too few"):
        learn([sample(0, 0)], {})
