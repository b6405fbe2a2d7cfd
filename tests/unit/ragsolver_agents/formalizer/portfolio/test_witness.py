"""Witnesses are evaluated where they can be."""

from ragsolver_agents.formalizer.portfolio.script import Asked
from ragsolver_agents.formalizer.portfolio.witness import Witness
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Witness().scripts(Asked(statement))]


def test_a_closed_body_gives_the_first_true_values():
    (proof,) = proofs(view("∃ a b : ℕ, a * b = 6 ∧ a < b ∧ 1 < a"))
    assert "refine ⟨(2), (3), ?_⟩" in proof


def test_integers_are_tried_after_naturals():
    (proof,) = proofs(view("∃ x y, 3 * x + 5 * y = 1"))
    assert "refine ⟨(2), (-1), ?_⟩" in proof


def test_a_body_with_functions_gives_small_values():
    found = proofs(view("∃ n, f n ≠ n", ("f", "ℕ → ℕ"), numerals=(1987,)))
    assert "refine ⟨(0), ?_⟩" in found[0]


def test_nothing_for_other_goals():
    assert proofs(view("n = 1", ("n", "ℕ"))) == []
    assert proofs(view("∃ f : ℕ → ℕ, f 1 = 2")) == []
