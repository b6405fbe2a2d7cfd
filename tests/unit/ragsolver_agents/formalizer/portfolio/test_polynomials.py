"""Polynomials are exact, and linear systems are solved or refused."""

from fractions import Fraction

from ragsolver_agents.formalizer.portfolio.polynomials import (
    add,
    constant,
    degree,
    multiply,
    polynomial,
    render_polynomial,
    solve,
)
from suites.term_text import parse


def poly(text, subtraction=True):
    return polynomial(parse(text), subtraction)


def test_a_power_is_multiplied_out():
    assert poly("(x + 1) ^ 2") == poly("x * x + 2 * x + 1")


def test_subtraction_of_naturals_is_not_polynomial():
    assert poly("x - 1", subtraction=False) is None


def test_what_is_not_polynomial():
    assert poly("2 ^ n") is None
    assert poly("x % 3") is None
    assert poly("f x") is None


def test_sums_and_products_cancel():
    assert add(poly("x + y"), poly("x + y"), -1) == {}
    assert multiply(poly("x - y"), poly("x + y")) == poly("x ^ 2 - y ^ 2")
    assert constant(0) == {}


def test_degree_is_total():
    assert max(map(degree, poly("x ^ 2 * y + 1"))) == 3


def test_rendering_needs_integers():
    assert render_polynomial(poly("x * y - 2")) == "0 - 2 + 1 * x * y"
    assert render_polynomial({(): Fraction(1, 2)}) is None


def test_a_system_is_solved():
    rows = [[Fraction(1), Fraction(1)], [Fraction(1), Fraction(-1)]]
    assert solve(rows, [Fraction(3), Fraction(1)]) == [2, 1]


def test_a_system_without_solution():
    rows = [[Fraction(1)], [Fraction(1)]]
    assert solve(rows, [Fraction(1), Fraction(2)]) is None
