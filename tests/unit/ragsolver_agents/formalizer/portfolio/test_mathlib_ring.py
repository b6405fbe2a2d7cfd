import pytest

from ragsolver_agents.formalizer.portfolio.mathlib_ring import MathlibRing
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.real_numbers import REAL_VIEW, real_view


def scripts(statement, *, mathlib=True):
    asked = Asked(statement, mathlib=mathlib)
    return {script.strategy: script.proof for script in MathlibRing().scripts(asked)}


@pytest.mark.parametrize(
    ("goal", "hypotheses", "certificate"),
    [
        ("a = 3", [("h", "2 * a = 6")], "(1/2) * h"),
        ("a = 5", [("h", "a + b = 8"), ("k", "a - b = 2")], "(1/2) * h + (1/2) * k"),
        ("a ^ 2 = 4 * a", [("h", "a = 4")], "(1) * a * h"),
    ],
)
def test_a_certificate_is_found(goal, hypotheses, certificate):
    found = scripts(real_view(goal, *hypotheses))
    assert found["mathlib_ring/certificate"] == f"by\n  linear_combination {certificate}"


def test_what_does_not_follow_linearly_has_none():
    found = scripts(real_view("a = 2", ("h", "a ^ 2 = 4")))
    assert "mathlib_ring/certificate" not in found
    assert "nlinarith [h]" in found["mathlib_ring/nlinarith"]


def test_only_equations_and_only_with_mathlib():
    assert scripts(REAL_VIEW) == {}
    assert scripts(real_view("a = 3", ("h", "2 * a = 6")), mathlib=False) == {}
