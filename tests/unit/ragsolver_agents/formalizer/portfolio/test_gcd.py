"""Common divisors are bounded by a combination."""

from ragsolver_agents.formalizer.portfolio.gcd import Gcd
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def scripts(statement):
    return {script.strategy: script.proof for script in Gcd().scripts(Asked(statement))}


def test_a_combination_that_is_a_numeral():
    found = scripts(view("(21 * n + 4).gcd (14 * n + 3) = 1", ("n", "ℕ")))
    assert "∣ 1 := by" in found["gcd/combination"]
    assert "3 * ((14 * n) + 3) - 2 * ((21 * n) + 4) = 1" in found["gcd/combination"]


def test_facts_alone_where_nothing_combines():
    assert list(scripts(view("a.gcd b ≤ a", ("a", "ℕ"), ("b", "ℕ")))) == ["gcd/facts"]


def test_a_modulus_that_divides_a_numeral():
    found = scripts(
        view("m = 43", ("m", "ℤ"), ("x", "ℤ"), ("h", "6 * x % m = 1"), ("k", "(x - 36) % m = 0"))
    )
    assert "have md : m ∣ 215" in found["gcd/modulus"]


def test_bound_variables_are_left_alone():
    found = scripts(view("a.gcd 4 = 2", ("a", "ℕ"), ("h", "∀ (b : ℕ), b.gcd 4 = 2 → a ≤ b")))
    assert "b" not in found["gcd/facts"].replace("by", "")


def test_nothing_without_divisors():
    assert scripts(view("a = 1", ("a", "ℕ"))) == {}
