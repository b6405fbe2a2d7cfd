"""A view is read into variables, facts and a target."""

from ragsolver_agents.formalizer.portfolio.reading import (
    calls,
    explosive,
    has_modulus,
    read,
    relation_sort,
    sort_of,
)
from ragsolver_agents.formalizer.portfolio.terms import render
from suites.deciding_world import view
from suites.term_text import parse


def test_conjunctions_are_taken_apart_with_their_proofs():
    reading = read(view("x = 1", ("x", "ℕ"), ("h", "0 < x ∧ x < 3 ∧ x ≠ 2")))
    assert [fact.proof for fact in reading.facts] == ["h.1", "h.2.1", "h.2.2"]
    assert [fact.proof for fact in reading.hypotheses] == ["h"]


def test_what_stands_after_the_colon_is_introduced_by_name():
    reading = read(view("∀ (n : ℕ), 0 < n → n ≠ 0"))
    assert reading.opening == ("intro n hi0",)
    assert reading.sorts == {"n": "Nat"}
    assert render(reading.target) == "(n ≠ 0)"
    assert [fact.proof for fact in reading.hypotheses] == ["hi0"]


def test_a_bounded_quantifier_is_introduced_with_its_bound():
    reading = read(view("∀ n ≥ 5, n ≠ 0"))
    assert reading.opening == ("intro n hi0",)
    assert render(reading.facts[0].term) == "(n ≥ 5)"


def test_a_negation_is_not_introduced():
    assert read(view("¬7 ∣ n", ("n", "ℕ"))).opening == ()


def test_a_shadowed_name_is_the_later_binder():
    reading = read(view("d < 10", ("d", "ℕ"), ("h", "d < 3"), ("h", "d < 9")))
    assert [render(fact.term) for fact in reading.facts] == ["(d < 9)"]
    assert reading.names == ("h",)


def test_functions_are_no_numbers():
    reading = read(view("u n = 0", ("u", "ℕ → ℕ"), ("n", "ℕ")))
    assert dict(reading.functions) == {"u": "Nat → Nat"}
    assert reading.naturals == ("n",)


def test_unreadable_hypotheses_keep_their_names():
    reading = read(view("n = 0", ("n", "ℕ"), ("h", "{n} = s")))
    assert reading.names == ("h",)
    assert reading.facts == ()


def test_sorts_of_terms():
    sorts = {"x": "Int", "n": "Nat"}
    assert sort_of(parse("x + 1"), sorts) == "Int"
    assert sort_of(parse("2 ^ n"), sorts) == "Nat"
    assert sort_of(parse("↑n - 1"), sorts) == "Int"
    assert relation_sort(parse("7 ∣ x"), sorts) == "Int"


def test_moduli_and_calls():
    reading = read(view("a.gcd 40 ∣ 7", ("a", "ℕ")))
    assert has_modulus(reading)
    assert [render(call) for call in calls(reading, "Nat.gcd")] == ["Nat.gcd a 40"]
    assert not has_modulus(read(view("a = 7", ("a", "ℕ"))))


def test_a_defined_variable_in_an_exponent_explodes():
    assert explosive(read(view("2 ^ k % 10 = 6", ("k", "ℕ"), ("h", "k = 2008 ^ 2"))))
    assert not explosive(read(view("k ^ 2 % 10 = 6", ("k", "ℕ"), ("h", "k = 2008 ^ 2"))))
