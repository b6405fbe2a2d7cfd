from ragsolver_agents.formalizer.portfolio.mathlib_cases import MathlibCases
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view

BOUNDED = view("n = 3 ∨ n = 4", ("n", "ℕ"), ("h", "2 < n"), ("k", "n < 5"))


def test_a_bounded_variable_is_split():
    (script,) = MathlibCases().scripts(Asked(BOUNDED, mathlib=True))
    assert "have hl : 3 ≤ n := by first | omega | nlinarith" in script.proof
    assert "have hu : n ≤ 4" in script.proof
    assert "interval_cases n <;>" in script.proof


def test_without_bounds_or_mathlib_there_is_nothing():
    free = view("n = 3", ("n", "ℕ"))
    assert list(MathlibCases().scripts(Asked(free, mathlib=True))) == []
    assert list(MathlibCases().scripts(Asked(BOUNDED))) == []
