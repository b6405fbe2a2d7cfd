"""Queries say what the statement is about."""

import pytest

from ragsolver_agents.planner.queries import (
    first_queries,
    identifiers,
    math_area,
    other_queries,
)
from ragsolver_contracts.testing import problem
from suites.deciding_world import view

DIVIDES = view(
    "7 ∣ 2 ^ n + 1",
    ("n", "ℕ"),
    ("h", "0 < n"),
    constants=("Dvd.dvd", "HAdd.hAdd", "HPow.hPow", "Nat", "instHAdd", "OfNat.ofNat"),
    target_head="Dvd.dvd",
)


def test_first_query_is_the_target_and_the_second_its_operations():
    first, second, *_ = first_queries(problem(), DIVIDES)
    assert first == "7 ∣ 2 ^ n + 1"
    assert second == "Nat dvd divides add pow"


def test_words_of_the_problem_are_searched_without_formulas():
    asked = problem(informal_statement=r"Show that $x^2$ is the greatest common divisor \frac12")
    assert first_queries(asked, DIVIDES)[2] == "greatest common divisor"


@pytest.mark.parametrize("plan", [2, 3])
def test_a_later_plan_asks_otherwise(plan):
    assert not set(first_queries(problem(), DIVIDES)) & set(
        other_queries(problem(), DIVIDES, plan)
    )


def test_two_or_three_distinct_queries():
    for queries in (first_queries(problem(), DIVIDES), other_queries(problem(), DIVIDES, 2)):
        assert 2 <= len(queries) <= 3
        assert len(set(queries)) == len(queries)


def test_identifiers_are_found_in_hints_and_words():
    asked = problem(hints=("use Nat.gcd_comm",), informal_statement="by add_comm and induction.")
    assert identifiers(asked) == ["Nat.gcd_comm", "add_comm"]


@pytest.mark.parametrize(
    ("constants", "area"),
    [
        (("HAdd.hAdd", "Dvd.dvd"), "number_theory"),
        (("List.length",), "combinatorics"),
        (("HAdd.hAdd",), "algebra"),
        (("Foo",), ""),
    ],
)
def test_math_area_is_guessed_from_constants(constants, area):
    assert math_area(view("x", constants=constants)) == area
