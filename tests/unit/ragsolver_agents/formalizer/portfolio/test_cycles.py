"""Powers repeat modulo a numeral."""

from ragsolver_agents.formalizer.portfolio.cycles import Cycles
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Cycles().scripts(Asked(statement))]


def test_cases_on_the_exponent_modulo_the_period():
    (proof,) = proofs(view("¬7 ∣ 2 ^ n + 1", ("n", "ℕ")))
    assert "pow_cycle 2 7 3 0 (by decide) n" in proof
    assert proof.count("·") == 3


def test_the_preperiod_gives_small_cases():
    (proof,) = proofs(view("2 ∣ 4 ^ n", ("n", "ℕ"), ("h", "n ≠ 0")))
    assert "pow_cycle 4 2 1 1 (by decide) (n - 1)" in proof
    assert "n = 0 ∨ (1 ≤ n ∧ n % 1 = 0)" in proof


def test_periods_of_several_powers_are_joined():
    (proof,) = proofs(view("(2 ^ n + 6 ^ n) % 7 = 1", ("n", "ℕ")))
    assert "n % 6 = 5" in proof


def test_a_defined_exponent_is_one_case():
    statement = view("(k ^ 2 + 2 ^ k) % 10 = 6", ("k", "ℕ"), ("h", "k = 2008 ^ 2"))
    (proof,) = proofs(statement)
    assert "rw [h]; decide +kernel" in proof
    assert "Nat.pow_mod k 2 10" in proof
    assert "·" not in proof


def test_two_exponents_or_no_power_give_nothing():
    assert proofs(view("7 ∣ 2 ^ n + 3 ^ m", ("n", "ℕ"), ("m", "ℕ"))) == []
    assert proofs(view("7 ∣ n", ("n", "ℕ"))) == []
    assert proofs(view("7 ∣ 2 ^ (n * n)", ("n", "ℕ"))) == []
