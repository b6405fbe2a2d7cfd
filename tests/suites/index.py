"""What every index of declarations must do. One suite, run on each implementation.

A test module makes a fixture `index` that holds `library.rows()` with the vectors of
`library.embed`, and imports the tests of this module.
"""

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.index import MATHLIB_UNIT, Index
from ragsolver_rag.tokenize import terms
from suites import library

ALL = RetrievalFilters()


def names(hits):
    return [hit.row.decl_name for hit in hits]


def nearest(index, text, limit=5, filters=ALL):
    return index.dense(library.embed([text])[0], limit, filters)


def test_it_is_an_index(index):
    assert isinstance(index, Index)
    assert sorted(index.names()) == sorted(row.decl_name for row in library.rows())


def test_the_nearest_text_is_the_text_itself(index):
    row = library.rows()[0]
    best = nearest(index, row.embedding_text)[0]
    assert best.row.decl_name == row.decl_name
    assert abs(best.score - 1.0) < 0.01


def test_both_channels_answer_best_first_and_no_more_than_asked(index):
    for hits in (nearest(index, "nat add comm", 4), index.sparse(terms("nat add comm"), 4, ALL)):
        assert 2 <= len(hits) <= 4
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True)


def test_words_find_the_declaration_that_has_them(index):
    assert names(index.sparse(terms("nat add comm"), 3, ALL))[0] == "Nat.add_comm"
    assert names(index.sparse(terms("gcd dvd"), 3, ALL))[0] == "Nat.gcd_dvd_left"


def test_a_search_that_was_begun_finds_the_same(index):
    begun = [index.begin_matching([term], 4, ALL) for term in ("gcd", "add", "zebra")]
    found = [matching() for matching in begun]
    assert found == [index.matching([term], 4, ALL) for term in ("gcd", "add", "zebra")]
    assert found[0]
    assert index.begin_matching([], 4, ALL)() == []


def test_rows_come_back_whole_in_the_order_asked_and_as_often(index):
    rows = [row.model_copy(update={"search_text": "", "embedding_text": "", "fields": {}})
            for row in library.rows()]  # fmt: skip
    given = [row.model_copy(update={"search_text": "", "embedding_text": "", "fields": {}})
             for row in index.rows([3, 12, 0, 3])]  # fmt: skip
    assert given == [rows[3], rows[12], rows[0], rows[3]]
    assert index.rows([]) == []


def test_a_term_asked_twice_counts_once(index):
    once = index.sparse(["add", "nat"], 5, ALL)
    twice = index.sparse(["add", "nat", "add"], 5, ALL)
    assert names(once) == names(twice)


def test_nothing_is_found_without_terms_or_with_unknown_ones(index):
    assert index.sparse([], 5, ALL) == []
    assert index.sparse(["zebra"], 5, ALL) == []


def test_filters_hold_before_the_limit_in_every_way_of_asking(index):
    only_definitions = RetrievalFilters(kinds=("def",))
    assert names(nearest(index, "nat add comm", 3, only_definitions)) == ["Nat.gcd"]
    assert names(index.sparse(["nat"], 1, only_definitions)) == ["Nat.gcd"]
    assert index.named(["Nat.add_comm"], only_definitions) == []
    here = RetrievalFilters(unit_types=(MATHLIB_UNIT,), doc_ids=(library.rows()[0].doc_id,))
    assert len(nearest(index, "nat", 3, here)) == 3
    for nowhere in (
        RetrievalFilters(unit_types=("figure",)),
        RetrievalFilters(doc_ids=("elsewhere",)),
        RetrievalFilters(math_area=("it's algebra",)),
    ):
        assert nearest(index, "nat", 3, nowhere) == []
        assert index.sparse(["nat"], 3, nowhere) == []
        assert index.named(["Nat.gcd"], nowhere) == []


def test_names_are_found_in_the_order_asked_and_unknown_ones_left_out(index):
    found = index.named(["not_or", "No.such", "Nat.gcd", "it's"], ALL)
    assert [row.decl_name for row in found] == ["not_or", "Nat.gcd"]
    assert found[1].kind == "def"
    assert found[1].docstring == "The gcd."
    assert found[0].signature == "∀ {p q : Prop}, ¬(p ∨ q) ↔ ¬p ∧ ¬q"
    assert index.named([], ALL) == []
