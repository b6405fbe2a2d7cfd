"""The negation closes over the binders."""

from ragsolver_agents.formalizer.portfolio.expressions import term_of
from ragsolver_agents.formalizer.portfolio.negation import negation
from ragsolver_agents.formalizer.portfolio.terms import render
from suites.deciding_world import view


def test_binders_are_closed_over():
    negated = negation(view("n < 7", ("n", "ℕ"), ("h", "0 < n")))
    assert negated.target == "¬(∀ (n : ℕ) (h : 0 < n), n < 7)"
    assert negated.binders == ()
    assert negated.target_head == "Not"
    assert render(term_of(negated.expression)) == "(¬ (∀ (n : Nat), ((0 < n) → (n < 7))))"


def test_a_part_without_a_term_leaves_none_of_the_whole():
    assert negation(view("n < 7", ("n", "ℕ"), ("h", "{n} = s"))).expression is None


def test_a_closed_statement_is_just_negated():
    assert negation(view("1 = 2")).target == "¬(1 = 2)"
