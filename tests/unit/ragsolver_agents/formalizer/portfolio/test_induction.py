"""Induction on each natural variable, with what the step needs."""

from ragsolver_agents.formalizer.portfolio.induction import Induction
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Induction().scripts(Asked(statement))]


def test_two_scripts_per_natural_variable():
    statement = view("n + m = x", ("n", "ℕ"), ("m", "ℕ"), ("x", "ℤ"))
    assert [p.splitlines()[1].split()[1] for p in proofs(statement)] == ["n", "n", "m", "m"]


def test_hypotheses_are_instantiated_and_powers_bounded():
    statement = view(
        "u n = 2 ^ n", ("n", "ℕ"), ("u", "ℕ → ℕ"), ("h", "∀ (n : ℕ), u (n + 1) = 2 * u n")
    )
    proof = proofs(statement)[0]
    assert "have i0 := h k" in proof
    assert "have p2 := Nat.lt_pow_self (n := k) (show 1 < 2 by decide)" in proof


def test_nothing_without_natural_variables():
    assert proofs(view("x = x", ("x", "ℤ"))) == []


def test_induction_starts_where_a_hypothesis_says():
    for hypothesis in ("4 ≤ n", "n ≥ 4", "3 < n", "n > 3"):
        statement = view("n ^ 2 ≤ 2 ^ n", ("n", "ℕ"), ("h", hypothesis))
        assert "(show 4 ≤ n by omega)" in proofs(statement)[0]
