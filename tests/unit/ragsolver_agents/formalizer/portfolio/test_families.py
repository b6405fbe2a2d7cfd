"""The list of families is consistent, and families propose for shapes, never for names."""

import pytest

from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_agents.formalizer.portfolio.script import Asked
from ragsolver_agents.lemmas import Lemma
from ragsolver_contracts.lean import HoleView, Position
from suites.deciding_world import view

VIEWS = [
    view("True"),
    view("17 * 18 % 4 = 2", numerals=(2, 4, 17, 18)),
    view("∑ i, i = 3", ("s", "Finset ℕ")),
    view("n + 0 = n", ("n", "ℕ")),
    view("x ^ 2 % 3 = 0 ∨ x ^ 2 % 3 = 1", ("x", "ℤ")),
    view("∃ n, f (f n) ≠ n + 1987", ("f", "ℕ → ℕ")),
    view("u n = 2 ^ n", ("n", "ℕ"), ("u", "ℕ → ℕ"), ("h", "∀ (n : ℕ), u (n + 1) = 2 * u n")),
    view("a.gcd 40 ≤ 8", ("a", "ℕ"), ("h", "a * 3 = 24")),
]
LEMMAS = [Lemma("M1", "Nat.add_zero", kind="theorem"), Lemma("", "Nat.foo", kind="hint")]


HOLE = HoleView(
    start=Position(line=1, column=0),
    end=Position(line=1, column=5),
    view=view("n = n", ("n", "ℕ")),
)


def asked(statement, *lemmas):
    return Asked(statement, lemmas, sketch="sorry", holes=(HOLE,), answers=("refine Nat.foo ?_",))


def test_names_are_keys_and_costs_are_known():
    assert all(name == family.name for name, family in FAMILIES.items())
    assert {family.cost for family in FAMILIES.values()} <= {1, 2, 3}


def test_what_may_be_killed_comes_last():
    costs = [family.cost for family in FAMILIES.values()]
    assert costs.index(3) == len(costs) - 1


@pytest.mark.parametrize("name", FAMILIES)
def test_proposals_are_tactic_proofs_made_the_same_way_twice(name):
    for statement in VIEWS:
        scripts = list(FAMILIES[name].scripts(asked(statement, *LEMMAS)))
        assert scripts == list(FAMILIES[name].scripts(asked(statement, *LEMMAS)))
        assert all(script.proof.startswith(("by\n  ", "(first")) for script in scripts)
        assert all("sorry" not in script.proof for script in scripts)
        assert all(script.strategy.partition("/")[0] == name for script in scripts)
        assert len(scripts) <= 20


@pytest.mark.parametrize("name", FAMILIES)
def test_only_a_family_that_says_so_depends_on_lemmas(name):
    family = FAMILIES[name]
    depends = any(
        list(family.scripts(asked(statement, *LEMMAS))) != list(family.scripts(asked(statement)))
        for statement in VIEWS
    )
    assert depends == family.uses_lemmas
