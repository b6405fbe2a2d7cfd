"""Lemmas as they are shown, and the order in which retrievals give them."""

from ragsolver_agents.lemmas import Lemma, retrieved_lemmas
from ragsolver_contracts.case import Case
from ragsolver_contracts.testing import event
from suites.deciding_world import evidence


def test_a_lemma_is_shown_in_one_format():
    lemma = Lemma("M1", "Nat.add_comm", "a + b = b + a", "addition commutes", "Init.Nat")
    assert lemma.line == "Nat.add_comm : a + b = b + a — addition commutes (Init.Nat)"


def test_what_is_unknown_is_left_out():
    assert Lemma("M1", "Nat.add_comm").line == "Nat.add_comm"


def test_definitions_are_no_lemmas_to_apply():
    assert Lemma("M1", "x", kind="theorem").is_provable
    assert not Lemma("M1", "x", kind="def").is_provable


def test_newest_retrieval_first_each_declaration_once():
    first = evidence([("Nat.a", "1"), ("Nat.b", "2")])
    second = evidence([("Nat.b", "2"), ("Nat.c", "3")], attempt=2, start=3)
    case = Case.fold("r1", "add_zero_nat", [event(first), event(second)])
    assert [item.name for item in retrieved_lemmas(case)] == ["Nat.b", "Nat.c", "Nat.a"]
    assert [item.signature for item in retrieved_lemmas(case)] == ["2", "3", "1"]
