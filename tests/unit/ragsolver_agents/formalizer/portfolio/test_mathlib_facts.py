from ragsolver_agents.formalizer.portfolio.mathlib_facts import number_facts
from ragsolver_agents.formalizer.portfolio.terms import render
from suites.real_numbers import REAL_VIEW, real_view


def test_real_variables_and_signs_are_seen():
    facts = number_facts(REAL_VIEW)
    assert facts.variables == ("a", "b")
    assert facts.positive() == ("ha.1",)
    assert facts.positive(strict=False) == ("hb",)
    assert render(facts.target) == "(((2 * a) * b) ≤ ((a ^ 2) + (b ^ 2)))"


def test_equations_are_told_apart():
    facts = number_facts(real_view("a = b", ("h", "a + 1 = b"), ("k", "a < b")))
    assert [fact.proof for fact in facts.equations] == ["h"]
