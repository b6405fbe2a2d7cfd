"""LanceDB's full-text index scores our terms by the formula of the contract `tokenize`."""

import random
from collections import Counter

import numpy as np
import pytest

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index import DeclarationRow
from ragsolver_rag.index_lancedb import LanceIndex
from ragsolver_rag.index_write import write_index
from ragsolver_rag.tokenize import bm25, inverse_document_frequency, terms

pytestmark = pytest.mark.connected

WORDS = [*terms("nat add comm assoc mul int list append reverse gcd dvd le lt zero succ"), "17"]
TEXTS = 300


@pytest.fixture(scope="module")
def documents():
    """Texts of 3 to 40 terms; the first words are much more frequent than the last."""
    chance = random.Random(7)
    weights = [1 / (place + 1) for place in range(len(WORDS))]
    return [chance.choices(WORDS, weights, k=chance.randint(3, 40)) for _ in range(TEXTS)]


@pytest.fixture(scope="module")
def index(documents, tmp_path_factory):
    rows = [
        DeclarationRow(
            chunk_id=str(order),
            doc_id="d",
            order=order,
            decl_name=f"n{order}",
            kind="theorem",
            module_path="M",
            signature="p",
            type="p",
            search_text=" ".join(found),
        )
        for order, found in enumerate(documents)
    ]
    folder = tmp_path_factory.mktemp("fts")
    write_index(folder, {"doc_id": "d"}, rows, np.ones((TEXTS, 4), np.float16), {})
    return LanceIndex(folder)


def by_formula(documents, query):
    counts = [Counter(found) for found in documents]
    containing = Counter(term for each in counts for term in each)
    weights = {t: inverse_document_frequency(TEXTS, df) for t, df in containing.items()}
    mean = sum(map(len, documents)) / TEXTS
    return [bm25(query, each, weights, mean) for each in counts]


@pytest.mark.parametrize(
    "query", [["gcd"], ["nat", "add"], ["zero", "succ", "17"], ["append", "nat", "reverse", "lt"]]
)
def test_the_full_text_index_scores_by_our_formula(index, documents, query):
    expected = by_formula(documents, query)
    found = index.sparse(query, TEXTS, RetrievalFilters())
    assert {hit.row.order for hit in found} == {n for n, score in enumerate(expected) if score}
    scores = np.array([hit.score for hit in found])
    ours = np.array([expected[hit.row.order] for hit in found])
    assert scores == pytest.approx(ours, rel=0.03)
    assert np.all(np.diff(ours) <= 0.03 * ours[:-1]), "the index ranks otherwise than the formula"


def test_an_unprepared_text_would_not_be_split(index):
    """Why texts are tokenised before they are written: the index splits at blanks only."""
    assert index.sparse(["Nat.add_comm"], 5, RetrievalFilters()) == []
