"""Counterexamples are found by evaluation."""

from ragsolver_agents.formalizer.portfolio.refute import Refute
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Refute().scripts(Asked(statement))]


def test_a_counterexample_with_its_hypotheses():
    statement = view("x ^ 2 < 50", ("x", "ℕ"), ("h", "3 ∣ x"), ("k", "x < 20"))
    (proof,) = proofs(statement)
    assert "have hc := h (9) (by first" in proof


def test_integers_may_be_negative():
    (proof,) = proofs(view("0 ≤ x ^ 3", ("x", "ℤ")))
    assert "h (-1)" in proof


def test_a_true_statement_has_no_counterexample():
    statement = view("x * y = y * x", ("x", "ℕ"), ("y", "ℕ"), ("h", "x < 4"))
    assert proofs(statement) == []


def test_a_closed_statement_is_evaluated():
    assert proofs(view("1 = 2"))[0] == "by\n  decide"


def test_a_variable_that_an_equation_gives_is_computed():
    statement = view("a < 900", ("x", "ℕ"), ("a", "ℕ"), ("h", "a.gcd 40 = x + 3"), ("k", "30 < x"))
    (proof,) = proofs(statement)
    assert "have hc := h (37) (920)" in proof


def test_a_universal_hypothesis_is_proved_by_facts_about_its_calls():
    least = "∀ (b : ℕ), b.gcd 4 = 4 ∧ b.lcm 4 = a → a ≤ b"
    (proof,) = proofs(view("a ≠ 12", ("a", "ℕ"), ("h", "4 ∣ a"), ("k", least)))
    assert "(by intro b; intros; have g0 := Nat.gcd_mul_lcm b (4); " in proof
