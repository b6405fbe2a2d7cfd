"""The behaviour contracts tokenize, fuse and cite, held by Lean's own library as it is indexed."""

import random

import pytest

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalFilters, RetrievalRequest
from ragsolver_rag.fuse import fused_scores
from ragsolver_rag.queries import prepare
from ragsolver_rag.tokenize import terms

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

ALL = RetrievalFilters()
QUESTIONS = ("addition is commutative", "length of a list that is reversed", "gcd divides", "xor")


@pytest.fixture(scope="module")
def sample(embedded_search):
    """Two hundred declarations, the same in every run."""
    index = embedded_search._index
    chosen = random.Random(1).sample(range(len(index.names())), 200)
    return index.rows(sorted(chosen))


def test_terms_are_the_same_again_and_name_their_declaration(sample):
    for row in sample:
        found = terms(row.decl_name)
        assert found == terms(row.decl_name)
        assert all(term and " " not in term for term in found), row.decl_name
        assert terms(f"  {row.decl_name}\n") == found


def test_every_name_is_answered_by_words_best_first(embedded_search, sample):
    """Terms of an index and of a question are made alike, or names would find nothing."""
    index = embedded_search._index
    for row in sample[:40]:
        asked = terms(row.decl_name)
        if not asked:
            continue
        found = index.matching(asked, 20, ALL)
        assert found, row.decl_name
        scores = [place.score for place in found]
        assert scores == sorted(scores, reverse=True)
        assert min(scores) > 0


@pytest.mark.parametrize("question", QUESTIONS)
def test_fusion_of_real_lists_follows_its_formula(embedded_search, question):
    found = embedded_search.candidates(prepare(question, "nl"), ALL)
    lists = [([p.order for p in found.dense], 0.5), ([p.order for p in found.lexical], 1.0)]
    fused = fused_scores(lists, 10.0)
    for order in random.Random(2).sample(sorted(fused), 20):
        expected = sum(
            weight / (10.0 + ranked.index(order) + 1)
            for ranked, weight in lists
            if order in ranked
        )
        assert fused[order] == pytest.approx(expected)


@pytest.mark.parametrize("question", QUESTIONS)
def test_citations_are_unique_keep_their_ids_and_resolve(embedded_search, question):
    request = RetrievalRequest(
        queries=(question,), k=20, rerank=True, context=RetrievalContext(problem_id="p")
    )
    first = embedded_search.search(request)
    assert first.trace.versions.reranker_model == "", "no cross-encoder: it says so"
    cited = {citation.chunk_id: citation for citation in first.citations}
    other = request.model_copy(update={"queries": (f"{question} of integers",)})
    again = embedded_search.search(other, cited)
    ids = {c.chunk_id: c.citation_id for c in (*first.citations, *again.citations)}
    assert len(set(ids.values())) == len(ids)
    assert all(ids[chunk] == citation.citation_id for chunk, citation in cited.items())
    names = embedded_search._index.names()
    for hit in (*first.hits, *again.hits):
        order = int(hit.chunk_id.rpartition(":")[2])
        assert names[order] == hit.citation.locator["decl_name"] == hit.citation.label
        assert hit.citation.snippet
        assert hit.citation.locator["docs_url"].endswith(hit.citation.label)
