"""Counterexamples are found by evaluation."""

from ragsolver_agents.formalizer.portfolio.refute import Refute
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Refute().scripts(statement, [])]


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
