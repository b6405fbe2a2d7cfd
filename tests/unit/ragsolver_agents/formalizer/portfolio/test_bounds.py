"""Bounds are guessed by propagation and stated with proofs."""

import pytest

from ragsolver_agents.formalizer.portfolio.bounds import (
    Certificate,
    box,
    is_monotone,
    proof_of_bound,
)
from suites.term_text import parse

NAT, INT = {"x": "Nat", "y": "Nat"}, {"x": "Int", "y": "Int"}


def guessed(sorts, *facts):
    found = box([parse(fact) for fact in facts], sorts)
    return found.low, found.high


def test_linear_bounds():
    assert guessed(NAT, "10 * x + y < 45", "3 ≤ y") == ({"x": 0, "y": 3}, {"x": 4, "y": 44})


def test_bounds_of_integers_from_both_sides():
    assert guessed({"x": "Int"}, "-2 < x", "2 * x ≤ 7") == ({"x": -1}, {"x": 3})


def test_products_are_bounded_when_factors_are_positive():
    low, high = guessed(INT, "0 < y", "y < x", "x + y + x * y = 80")
    assert low == {"x": 2, "y": 1}
    assert high == {"x": 39, "y": 26}


def test_powers_with_variable_exponents():
    assert guessed(NAT, "2 ^ x * 3 ^ y = 1296")[1] == {"x": 10, "y": 6}


def test_the_negation_of_a_goal_bounds():
    assert guessed(NAT, "¬19 ≤ x + y")[1] == {"x": 18, "y": 18}


def test_nothing_bounds():
    assert guessed(NAT, "x = y", "x ≠ 3")[1] == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("x + 2 * y ^ 3", True), ("2 ^ x", True), ("x ^ y", False), ("x - y", False)],
)
def test_monotone_terms(text, expected):
    assert is_monotone(parse(text)) is expected


def test_a_bound_is_proved_by_omega_or_from_lower_bounds():
    facts = [parse("3 * x ^ 2 = 57")]
    found = box(facts, {"x": "Nat"})
    text = proof_of_bound("x", 4, facts, found, {"x": "Nat"}, "b")
    assert text.startswith("have b : x < 5 := by\n  first\n  | omega\n")
    assert "have bc0 : 25 ≤ (x ^ 2) := " in text
    assert "have bc1 : 75 ≤ (3 * (x ^ 2)) := " in text


def test_powers_of_integers_have_no_certificate():
    assert Certificate({"x": 1}, {"x": "Int"}, True, "b").steps(parse("x ^ 2")) == []
