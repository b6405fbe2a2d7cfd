"""Defined variables are replaced."""

from ragsolver_agents.formalizer.portfolio.reading import read
from ragsolver_agents.formalizer.portfolio.substitution import eliminate, replace
from ragsolver_agents.formalizer.portfolio.terms import Num, Var, render
from suites.deciding_world import view
from suites.term_text import parse


def test_a_bound_variable_hides_the_outer_one():
    assert replace(parse("∀ (n : ℕ), n = x"), {"n": Num(1), "x": Num(2)}) == parse(
        "∀ (n : ℕ), n = 2"
    )


def test_a_definition_goes_into_everything_else():
    reading = read(view("n = 5", ("a", "ℕ"), ("n", "ℕ"), ("h", "n = 2 * a"), ("k", "n < 9")))
    tactics, facts, target, sorts = eliminate(reading)
    assert tactics == ["subst h"]
    assert [(f.proof, render(f.term)) for f in facts] == [("k", "((2 * a) < 9)")]
    assert render(target) == "((2 * a) = 5)"
    assert sorts == {"a": "Nat"}


def test_a_variable_that_defines_itself_is_kept():
    tactics, *_ = eliminate(read(view("n = 5", ("n", "ℕ"), ("h", "n = n * n"))))
    assert tactics == []


def test_an_integer_is_not_replaced_by_a_natural():
    reading = read(view("x = 5", ("x", "ℤ"), ("n", "ℕ"), ("h", "n = 4")))
    _, facts, _, sorts = eliminate(reading)
    assert sorts == {"x": "Int"}
    assert facts == []
    assert Var("x") not in facts
