"""Cofactors are found where they exist."""

import pytest

from ragsolver_agents.formalizer.portfolio.cofactor import Cofactor
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Cofactor().scripts(Asked(statement))]


def test_a_cofactor_without_hypotheses():
    (proof,) = proofs(view("x - y ∣ x ^ 2 - y ^ 2", ("x", "ℤ"), ("y", "ℤ")))
    assert "exact ⟨0 + 1 * x + 1 * y, by grind⟩" in proof


def test_a_cofactor_modulo_an_equation():
    statement = view("x + 1 ∣ x * y", ("x", "ℤ"), ("y", "ℤ"), ("h", "y = x ^ 2 - 1"))
    (proof,) = proofs(statement)
    assert "by grind⟩" in proof


@pytest.mark.parametrize("target", ["x + 1 ∣ x", "x + 1 ∣ y ^ 2", "x + 1 = y", "3 ∣ x"])
def test_no_cofactor_no_script(target):
    assert proofs(view(target, ("x", "ℤ"), ("y", "ℤ"))) == []


def test_natural_cofactors_have_no_subtraction():
    assert proofs(view("n + 1 ∣ n ^ 2 + 2 * n + 1", ("n", "ℕ")))
    assert proofs(view("n + 1 ∣ n ^ 3 + 1", ("n", "ℕ"))) == []
