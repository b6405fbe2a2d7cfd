"""Recurrences are followed by steps, or by their period where the goal is far."""

from ragsolver_agents.formalizer.portfolio.recurrence import Recurrence
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view

START = (("u", "ℕ → ℤ"), ("h0", "u 0 = 1"))


def scripts(target, rule, *more):
    statement = view(target, *START, *more, ("h", rule))
    return {s.strategy: s.proof for s in Recurrence().scripts(Asked(statement))}


def test_each_value_follows_from_the_ones_before():
    found = scripts("u 3 = -5", "∀ (n : ℕ), u (n + 1) = -2 * u n + 1")
    proof = found["recurrence/steps"]
    assert "have r2 : u 2 = (((-2) * u 1) + 1) := h 1" in proof
    assert "have v2 : u 2 = 3 := by simp [r2, v1]" in proof
    assert "have v3 : u 3 = -5 := by simp [r3, v2]" in proof


def test_natural_subtraction_is_truncated():
    statement = view(
        "u 2 = 0", ("u", "ℕ → ℕ"), ("h0", "u 0 = 1"), ("h", "∀ (n : ℕ), u (n + 1) = u n - 3")
    )
    (script,) = Recurrence().scripts(Asked(statement))
    assert "have v1 : u 1 = 0 " in script.proof


def test_guards_are_proved():
    found = scripts("u 3 = 1", "∀ n ≥ 1, u n = u (n - 1)")
    assert "h 1 (by omega)" in found["recurrence/steps"]


def test_guards_before_an_arrow_are_read_too():
    found = scripts("u 3 = 1", "∀ (n : ℕ), n ≥ 1 → u n = u (n - 1)")
    assert "h 1 (by omega)" in found["recurrence/steps"]


def test_far_arguments_go_by_the_period():
    found = scripts("u 1001 = -1", "∀ (n : ℕ), u (n + 1) = -u n")
    assert list(found) == ["recurrence/period"]
    assert "∀ k : Nat, u (2 * k + 0) = 1 ∧ u (2 * k + 1) = -1" in found["recurrence/period"]
    assert "have v1001 : u 1001 = -1 := (per 500).2" in found["recurrence/period"]


def test_a_far_argument_without_a_period_gives_nothing():
    assert scripts("u 1001 = 5", "∀ (n : ℕ), u (n + 1) = u n + 1") == {}


def test_what_is_no_recurrence_gives_nothing():
    assert scripts("u 3 = 1", "∀ (n : ℕ), u n < u (n + 1)") == {}
    assert scripts("1 = 1", "∀ (n : ℕ), u (n + 1) = u n") == {}
