"""Lemmas are tried alone and together, and cited."""

from ragsolver_agents.formalizer.portfolio.lemma_use import HINT, SINGLE, Hinted, Lemmas
from ragsolver_agents.formalizer.portfolio.script import Asked
from ragsolver_agents.lemmas import Lemma
from suites.deciding_world import view

VIEW = view("n = n", ("n", "ℕ"))
FOUND = [Lemma(f"M{n}", f"Nat.l{n}", kind="theorem") for n in range(9)]


def test_every_script_cites_what_it_tries():
    scripts = list(Lemmas().scripts(Asked(VIEW, tuple(FOUND))))
    assert [s.citations for s in scripts[:SINGLE]] == [(f"M{n}",) for n in range(SINGLE)]
    for script in scripts:
        named = [lemma for lemma in FOUND if lemma.name in script.proof]
        assert tuple(lemma.citation_id for lemma in named) == script.citations


def test_definitions_and_hints_are_not_applied_as_lemmas():
    others = [Lemma("M1", "Nat.foo", kind="def"), Lemma("", "Nat.bar", kind=HINT)]
    assert list(Lemmas().scripts(Asked(VIEW, tuple(others)))) == []


def test_only_named_identifiers_are_hinted():
    (script,) = Hinted().scripts(Asked(VIEW, (Lemma("", "Nat.bar", kind=HINT), *FOUND)))
    assert script.strategy == "hinted/Nat.bar"
    assert "have hl := @Nat.bar" in script.proof
    assert script.citations == ()


def test_the_librarys_own_machinery_is_left_out():
    inner = [Lemma("M1", "Nat.Simproc.add_eq_le", kind="theorem")]
    assert list(Lemmas().scripts(Asked(VIEW, tuple(inner)))) == []
