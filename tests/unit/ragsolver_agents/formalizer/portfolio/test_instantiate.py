"""Universal hypotheses are taken at numerals."""

from ragsolver_agents.formalizer.portfolio.instantiate import MAX_INSTANCES, Instantiate
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Instantiate().scripts(Asked(statement))]


def test_arguments_of_the_goal_come_first():
    statement = view("u 7 = 128", ("u", "ℕ → ℕ"), ("h", "∀ (n : ℕ), u n = 2 ^ n"))
    assert "have u0_7 := h 7" in proofs(statement)[0]


def test_recurrences_are_followed_up_to_the_goal():
    statement = view("u 5 = 32", ("u", "ℕ → ℕ"), ("h", "∀ (n : ℕ), u (n + 1) = 2 * u n"))
    assert all(f"have u0_{n} := h {n}" in proofs(statement)[1] for n in range(6))


def test_guards_are_proved_on_the_way():
    statement = view("u 5 = 32", ("u", "ℕ → ℕ"), ("h", "∀ n ≥ 2, u n = 1"))
    assert "try have u0_5 := h 5 (by first | decide | omega)" in proofs(statement)[0]


def test_the_number_of_instances_is_bounded():
    statement = view("s 9 8 = 1", ("s", "ℕ → ℕ"), ("h", "∀ (a b : ℕ), s a b = 1"))
    assert all(proof.count("have ") <= MAX_INSTANCES for proof in proofs(statement))


def test_nothing_without_a_universal_hypothesis():
    assert proofs(view("n = 1", ("n", "ℕ"), ("h", "n < 2"))) == []
