import numpy as np
import pytest

from ragsolver_contracts.retrieval import (
    RetrievalContext,
    RetrievalFilters,
    RetrievalRequest,
    VersionsPin,
)
from ragsolver_rag.index_memory import MemoryIndex
from ragsolver_rag.search import Parts, Search, disabled_result
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import ResultTuning, load_tuning
from suites import library

SETTINGS = RetrieverSettings(docs_url="")
TUNING = load_tuning()
PIN = VersionsPin(embedding_model="words", index_version="v1", mathlib_table="mathlib")


class Backwards:
    """A reranker that prefers what comes last in the alphabet."""

    name = "backwards"

    def __init__(self):
        self.queries = []

    def scores(self, query, texts):
        self.queries.append(query)
        order = sorted(texts)
        return [float(order.index(text)) for text in texts]


def make(tuning=TUNING, reranker=None, encoder=None):
    rows = library.rows()
    index = MemoryIndex(rows, library.embed([row.embedding_text for row in rows]))
    encoder = encoder or library.WordEncoder()
    parts = Parts(index, encoder, reranker)
    return Search(parts, settings=SETTINGS, tuning=tuning, versions=PIN)


def limited(**limits):
    return TUNING.model_copy(update={"result": ResultTuning(**limits)})


def asked(*queries, **changes):
    context = RetrievalContext(problem_id="p", run_id="r")
    values = {"queries": queries, "context": context, "k": 5} | changes
    return RetrievalRequest(**values)


def names(result):
    return [hit.metadata["decl_name"] for hit in result.hits]


@pytest.mark.parametrize(
    ("mode", "query", "best"),
    [
        ("nl", "addition of natural numbers is commutative", "Nat.add_comm"),
        ("nl", "double reverse of a list", "List.reverse_reverse"),
        ("nl", "please use Int.le_antisymm here", "Int.le_antisymm"),
        ("formal", "theorem t (x y : Int) (h : x ≤ y) (g : y ≤ x) : x = y", "Int.le_antisymm"),
        ("formal", "as.length + bs.length = (as ++ bs).length", "List.length_append"),
        ("error", "unknown identifier 'Nat.gcd_comm'", "Nat.gcd_comm"),
        ("error", "Unknown constant `Nat.add_com`", "Nat.add_comm"),
        ("exemplar", "law of excluded middle", "Classical.em"),
    ],
)
def test_every_mode_finds(mode, query, best):
    assert names(make().search(asked(query, mode=mode)))[0] == best


def test_hits_are_ranked_cited_and_traced():
    result = make().search(asked("commutative addition"))
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4, 5]
    assert [c.citation_id for c in result.citations] == ["M1", "M2", "M3", "M4", "M5"]
    assert [hit.citation for hit in result.hits] == result.citations
    best = result.hits[0]
    assert best.text == f"{best.metadata['decl_name']} : {best.metadata['signature']}"
    assert best.metadata["kind"] == "theorem"
    assert best.citation.retrieved_for.run_id == "r"
    assert best.citation.scores.fused > 0
    assert best.citation.scores.rerank is None
    assert result.trace.versions == PIN
    assert 5 <= result.trace.n_candidates <= 13
    assert result.trace.latency_ms > 0


def test_what_was_cited_keeps_its_id():
    first = make().search(asked("commutative addition", k=2))
    cited = {c.chunk_id: c for c in first.citations}
    second = make().search(asked("commutative addition", k=4), cited)
    assert [c.citation_id for c in second.citations] == ["M1", "M2", "M3", "M4"]
    other = make().search(asked("excluded middle", k=1), cited)
    assert other.citations[0].citation_id == "M3"


def test_the_same_question_gets_the_same_answer():
    twice = [make().search(asked("gcd", "divides")).hits for _ in range(2)]
    assert twice[0] == twice[1]


def test_several_queries_are_fused():
    found = names(make().search(asked("excluded middle", "gcd divides left", k=6)))
    assert {"Classical.em", "Nat.gcd_dvd_left"} <= set(found)


def test_filters_hold_for_every_hit():
    only = RetrievalFilters(kinds=("def",))
    for mode in ("nl", "formal", "error"):
        assert names(make().search(asked("Nat.gcd", mode=mode, filters=only))) == ["Nat.gcd"]


def test_a_misspelt_name_is_followed_by_the_search_for_its_words():
    result = make().search(asked("unknown identifier 'Nat.add_com'", mode="error", k=13))
    assert names(result)[0] == "Nat.add_comm"
    assert len(set(names(result))) == len(result.hits) > TUNING.result.closest_names


def test_what_stands_for_a_removed_name_today_comes_first():
    changes = {
        "Nat.mul_comm": {"deprecated": "2020-01-01", "successor": "Nat.gcd_comm"},
        "Nat.gcd_comm": {"deprecated": "2021-01-01", "successor": "not_or"},
    }
    rows = [row.model_copy(update=changes.get(row.decl_name, {})) for row in library.rows()]
    parts = Parts(MemoryIndex(rows, np.zeros((0, 0), np.float32)), None)
    search = Search(parts, settings=RetrieverSettings(), tuning=TUNING, versions=VersionsPin())
    found = names(search.search(asked("unknown identifier 'Nat.mul_comm'", mode="error", k=13)))
    assert found[:2] == ["not_or", "Nat.mul_comm"]


def test_the_reranker_decides_only_when_asked():
    reranker = Backwards()
    search = make(reranker=reranker)
    plain = search.search(asked("commutative", rerank=False))
    assert plain.trace.versions.reranker_model == ""
    assert reranker.queries == []
    judged = search.search(asked("commutative", rerank_against="the claim"))
    assert reranker.queries == ["the claim"]
    assert judged.trace.versions.reranker_model == "backwards"
    assert names(judged)[0] == "not_or"
    assert judged.citations[0].scores.rerank is not None


def test_only_the_best_are_reranked():
    tuning = limited(rerank_candidates=2)
    plain = names(make().search(asked("commutative addition", rerank=False)))
    judged = names(make(tuning, Backwards()).search(asked("commutative addition")))
    assert set(judged[:2]) == set(plain[:2])
    assert judged[2:] == plain[2:]


def test_hits_can_be_spread_over_modules():
    result = make(limited(max_per_module=1)).search(asked("nat add comm", k=13))
    modules = [hit.metadata["module_path"] for hit in result.hits]
    assert len(modules) == len(set(modules)) > 2


def test_an_empty_corpus_answers_nothing():
    result = make().search(asked("nat", corpora=("informal",)))
    assert result.hits == result.citations == []
    assert result.trace.n_candidates == 0


def test_warming_asks_the_encoder():
    encoder = library.WordEncoder()
    make(encoder=encoder).warm()
    assert encoder.asked == 1


def test_switched_off_is_said():
    result = disabled_result()
    assert result.hits == []
    assert result.trace.versions.index_version == "disabled"
