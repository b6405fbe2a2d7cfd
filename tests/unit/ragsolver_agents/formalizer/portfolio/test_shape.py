import pytest

from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_agents.formalizer.portfolio.reading import read
from ragsolver_agents.formalizer.portfolio.shape import NAMING_FAMILIES, shape, strategy_key
from suites.deciding_world import view


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (view("1 + 1 = 2"), "none/="),
        (view("n < 3", ("n", "ℕ")), "Nat/≤"),
        (view("3 ≥ n", ("n", "ℕ")), "Nat/≤"),
        (view("n ∣ m", ("n", "ℤ"), ("m", "ℤ")), "Int/∣"),
        (view("↑n = m", ("n", "ℕ"), ("m", "ℤ")), "numbers/="),
        (view("u n = 0", ("u", "ℕ → ℕ"), ("n", "ℕ")), "other/="),
        (view("∃ (x : ℕ), x = 1"), "none/∃"),
        (view("∑ i, i"), "none/other"),
    ],
)
def test_a_shape_has_sorts_and_head(statement, said):
    assert shape(read(statement)) == said


@pytest.mark.parametrize(
    ("strategy", "key"),
    [
        ("close/omega", "close/omega"),
        ("witness", "witness"),
        ("lemmas/Nat.add_comm", "lemmas/*"),
        ("answers/Nat.dvd_antisymm", "answers/*"),
        ("lemmas/simp", "lemmas/simp"),
    ],
)
def test_lemmas_names_are_no_strategies(strategy, key):
    assert strategy_key(strategy) == key


def test_the_families_that_name_something_exist():
    assert set(FAMILIES) >= NAMING_FAMILIES
