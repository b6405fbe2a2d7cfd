"""Laws of remainders by the sort of the variables."""

from ragsolver_agents.formalizer.portfolio.modular import INTEGER, NATURAL, Modular
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def proofs(statement):
    return [script.proof for script in Modular().scripts(Asked(statement))]


def test_naturals_and_integers_have_their_own_laws():
    (natural,) = proofs(view("n ^ 2 % 3 = 1", ("n", "ℕ")))
    (integer,) = proofs(view("n ^ 2 % 3 = 1", ("n", "ℤ")))
    assert f"simp [{NATURAL}, *]" in natural
    assert f"simp [{INTEGER}, *]" in integer


def test_nothing_without_a_remainder():
    assert proofs(view("n = 1", ("n", "ℕ"))) == []


def test_nothing_that_explodes():
    assert proofs(view("2 ^ k % 10 = 6", ("k", "ℕ"), ("h", "k = 2 ^ 2008"))) == []
