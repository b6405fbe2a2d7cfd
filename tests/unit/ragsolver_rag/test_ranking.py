from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.features import FEATURES
from ragsolver_rag.index import Place
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.queries import prepare
from ragsolver_rag.ranking import Candidates, Rescorer
from ragsolver_rag.tuning import Tuning, load_tuning
from suites import library


def index():
    rows = library.rows()
    return MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))


def found(text, tuning=None):
    parts = index()
    query = prepare(text, "nl")
    vector = library.embed([query.text])[0]
    none = RetrievalFilters()
    candidates = Candidates(
        query, vector, parts.matching(query.terms, 5, none), parts.nearest(vector, 5, none)
    )
    return Rescorer(parts, tuning or load_tuning()), candidates


def test_every_candidate_is_there_once():
    candidates = Candidates(prepare("x", "nl"), None, [Place(3, 1.0)], [Place(1, 1), Place(3, 1)])
    candidates.further = [9, 1]
    assert candidates.orders == [3, 1, 9]


def test_what_matches_best_comes_first():
    rescorer, candidates = found("addition of natural numbers is commutative")
    scores = rescorer.scores(candidates)
    best = max(scores, key=lambda order: scores[order])
    assert library.rows()[best].decl_name == "Nat.add_comm"


def test_vectors_are_looked_up_for_what_only_words_found():
    rescorer, candidates = found("commutative")
    cosine = rescorer.features(candidates)[:, FEATURES.index("cosine")]
    vectors = index().vectors(candidates.orders)
    assert abs(cosine - vectors @ candidates.vector).max() < 1e-5


def test_without_weights_all_are_equal_and_nothing_gives_nothing():
    rescorer, candidates = found("commutative", Tuning())
    assert set(rescorer.scores(candidates).values()) == {0.0}
    assert rescorer.scores(Candidates(candidates.query, None)) == {}


def test_vectors_are_read_only_where_they_are_weighed(monkeypatch):
    read = []
    monkeypatch.setattr(MemoryIndex, "vectors", lambda self, orders: read.append(orders))
    for name in ("cover", "cosine"):
        tuning = Tuning.model_validate({"rescoring": {"weights": {name: 1.0}}})
        rescorer, candidates = found("commutative", tuning)
        rescorer.scores(candidates)
    assert len(read) == 1
