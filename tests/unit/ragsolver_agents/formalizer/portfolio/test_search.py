"""Bounded search: in the kernel where everything is bounded, else arm by arm."""

from ragsolver_agents.formalizer.portfolio.script import Asked
from ragsolver_agents.formalizer.portfolio.search import Search
from suites.deciding_world import view


def scripts(statement):
    return {script.strategy: script.proof for script in Search().scripts(Asked(statement))}


def test_a_box_is_checked_in_the_kernel():
    found = scripts(view("x + y = 8", ("x", "ℕ"), ("y", "ℕ"), ("h", "2 ^ x * 3 ^ y = 1296")))
    assert list(found) == ["search/kernel"]
    assert "check_below 11 (fun x => check_below 7 (fun y => " in found["search/kernel"]
    assert found["search/kernel"].endswith("exact hneg (key x b0 y b1 h)")


def test_integers_are_shifted_to_naturals():
    found = scripts(view("x ^ 2 < 9", ("x", "ℤ"), ("h", "-3 < x ∧ x < 3")))
    assert "∃ k : Nat, x = (-2 : Int) + k" in found["search/kernel"]
    assert "k0 < 5" in found["search/kernel"]


def test_a_box_with_a_counterexample_is_not_proposed():
    assert "search/kernel" not in scripts(view("x ≠ 7", ("x", "ℕ"), ("h", "x < 9")))


def test_free_variables_leave_one_arm_per_value():
    found = scripts(view("x * y ≠ 1", ("x", "ℕ"), ("y", "ℕ"), ("h", "2 ≤ x"), ("k", "x ≤ 5")))
    assert list(found) == ["search/arms"]
    assert "∃ k : Nat, x = 2 + k" in found["search/arms"]
    assert "| 3 => intros; omega" in found["search/arms"]


def test_defined_variables_are_substituted_first():
    statement = view("n = 18", ("a", "ℕ"), ("n", "ℕ"), ("h", "a < 3"), ("k", "n = 9 * a"))
    assert all("subst k" in proof for proof in scripts(statement).values())


def test_nothing_is_bounded():
    assert scripts(view("x * x = y", ("x", "ℕ"), ("y", "ℕ"))) == {}
