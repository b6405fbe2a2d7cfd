"""Terms are written as Lean reads them; the suites' reader of written terms is right."""

import pytest

from ragsolver_agents.formalizer.portfolio.terms import (
    Call,
    Num,
    Op,
    Var,
    conjuncts,
    render,
    subterms,
    variables,
)
from suites.term_text import parse

X, Y, N = Var("x"), Var("y"), Var("n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x + y * z ^ 2", "(x + (y * (z ^ 2)))"),
        ("x - y - z", "((x - y) - z)"),
        ("2 ^ x ^ y", "(2 ^ (x ^ y))"),
        ("-x ^ 2", "(-(x ^ 2))"),
        ("¬7 ∣ 2 ^ n + 1", "(¬ (7 ∣ ((2 ^ n) + 1)))"),
        ("a ∧ b ∨ c → d", "(((a ∧ b) ∨ c) → d)"),
        ("a = b ∧ c < d", "((a = b) ∧ (c < d))"),
        ("↑c - ↑b = ↑d", "((((c : Nat) : Int) - ((b : Nat) : Int)) = ((d : Nat) : Int))"),
        ("(n + 7).gcd (2 * n + 1) ≤ 13", "(Nat.gcd (n + 7) ((2 * n) + 1) ≤ 13)"),
        ("a.gcd 40 = x", "(Nat.gcd a 40 = x)"),
        ("u (n + 1) = 2 * u n", "(u (n + 1) = (2 * u n))"),
        ("∀ n ≥ 5, x n = 0", "(∀ (n : Nat), ((n ≥ 5) → (x n = 0)))"),
        ("∀ (a b : ℕ), a = b", "(∀ (a : Nat), (∀ (b : Nat), (a = b)))"),
        ("∃ n, f n ≠ n", "(∃ (n : Nat), (f n ≠ n))"),
        ("x % 7 = 2", "((x % 7) = 2)"),
    ],
)
def test_reading_and_writing(text, shown):
    assert render(parse(text)) == shown


@pytest.mark.parametrize("text", ["", "x +", "fun x => x", "{x | x = 1}", "a = b = c", "∑ i, i"])
def test_what_is_not_in_the_language_is_not_read(text):
    assert parse(text) is None


def test_what_is_written_is_read_as_the_same():
    term = parse("∀ n ≥ 5, x n = x (n - 1) - 3 * x (n - 2) ^ 2 ∨ ¬2 ∣ n")
    assert parse(render(term)) == term


def test_a_small_initial_before_a_dot_is_a_variable():
    assert parse("a.gcd 40") == parse("Nat.gcd a 40") == Call("Nat.gcd", (Var("a"), Num(40)))


def test_variables_and_subterms():
    term = parse("u n + x = 2")
    assert variables(term) == {"u", "n", "x"}
    assert list(subterms(term))[-1] == term


def test_conjuncts():
    assert conjuncts(parse("x = 1 ∧ y = 2 ∧ n = 3")) == [
        Op("=", (X, Num(1))),
        Op("=", (Y, Num(2))),
        Op("=", (N, Num(3))),
    ]
