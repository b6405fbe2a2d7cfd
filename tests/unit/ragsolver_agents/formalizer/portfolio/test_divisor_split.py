"""Factors of a numeral are split over its divisors."""

from ragsolver_agents.formalizer.portfolio.divisor_split import DivisorSplit
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in DivisorSplit().scripts(Asked(statement))]


def test_each_variable_factor_has_a_script():
    statement = view("a = 2", ("a", "ℕ"), ("b", "ℕ"), ("h", "a * b = 6"))
    first, second = proofs(statement)
    assert "have dd : a ∣ 6 := ⟨b," in first
    assert "have dd : b ∣ 6 := ⟨a," in second


def test_integers_have_two_signs():
    (proof,) = proofs(view("n = 9", ("n", "ℤ"), ("h", "(n - 1) * n * (n + 1) = 720")))
    assert "n = n.natAbs ∨ n = -n.natAbs" in proof


def test_a_product_that_is_no_numeral_gives_nothing():
    assert proofs(view("a = 2", ("a", "ℕ"), ("b", "ℕ"), ("h", "a * b = a + 6"))) == []
    assert proofs(view("a = 2", ("a", "ℕ"), ("h", "a * a = 99999999"))) == []
