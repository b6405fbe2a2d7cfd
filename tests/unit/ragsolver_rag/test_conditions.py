from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.conditions import any_of, clauses, impossible


def test_every_filter_is_a_condition_and_quotes_are_doubled():
    found = clauses(RetrievalFilters(kinds=("def", "class"), doc_ids=("a'b",)))
    assert found == ["kind IN ('def', 'class')", "doc_id IN ('a''b')"]
    assert clauses(RetrievalFilters()) == []
    assert any_of("c", ["x"]) == "c IN ('x')"


def test_other_units_than_declarations_are_impossible():
    assert impossible(RetrievalFilters(unit_types=("figure",)))
    assert not impossible(RetrievalFilters(unit_types=("figure", "mathlib_decl")))
    assert not impossible(RetrievalFilters())
