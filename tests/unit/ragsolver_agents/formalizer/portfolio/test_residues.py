"""The least modulus that decides the statement is chosen, and only such a one."""

import pytest

from ragsolver_agents.formalizer.portfolio.residues import Residues
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def strategies(statement):
    return [script.strategy for script in Residues().scripts(Asked(statement))]


@pytest.mark.parametrize(
    ("statement", "modulus"),
    [
        (view("a ^ 2 % 4 = 0 ∨ a ^ 2 % 4 = 1", ("a", "ℤ")), 4),
        (view("3 ∣ n ^ 3 + 2 * n", ("n", "ℕ")), 3),
        (view("x ^ 2 + y ^ 2 ≠ 4003", ("x", "ℤ"), ("y", "ℤ")), 4),
        (view("x ^ 3 % 9 ≠ 2", ("x", "ℤ")), 9),
        (view("x ^ 2 % 8 = 1", ("x", "ℤ"), ("h", "x % 2 = 1")), 8),
    ],
)
def test_a_modulus_is_chosen(statement, modulus):
    assert strategies(statement) == [f"residues/{modulus}"]


@pytest.mark.parametrize(
    "statement",
    [
        view("x ^ 2 % 3 = 1", ("x", "ℤ")),
        view("x = 3", ("x", "ℤ")),
        view("7 ∣ 2 ^ n", ("n", "ℕ")),
        view("(x - y) % 3 = 0", ("x", "ℕ"), ("y", "ℕ"), ("h", "x - y = 3")),
    ],
)
def test_what_residues_do_not_decide_gets_no_script(statement):
    assert strategies(statement) == []
