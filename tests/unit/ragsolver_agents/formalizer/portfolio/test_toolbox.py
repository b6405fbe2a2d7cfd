"""Text that uses our own lemmas."""

from ragsolver_agents.formalizer.portfolio.toolbox import below, divisors, is_divisor


def test_divisors():
    assert divisors(12) == [1, 2, 3, 4, 6, 12]


def test_a_nested_check_has_one_bound_per_variable():
    text = below("key", [("x", 3), ("y", 4)], "x = y")
    assert text == (
        "have key_all : check_below 3 (fun x => check_below 4 (fun y => decide (x = y))) = true"
        " := by decide +kernel\n"
        "have key : ∀ x, x < 3 → ∀ y, y < 4 → (x = y) :=\n"
        "  fun x hx y hy => of_decide_eq_true (all_below (all_below key_all x hx) y hy)"
    )


def test_divisors_are_enumerated():
    assert "k ∣ 6 → (k = 1 ∨ k = 2 ∨ k = 3 ∨ k = 6)" in is_divisor("d", 6)
