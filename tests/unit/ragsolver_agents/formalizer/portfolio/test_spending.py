import pytest

from ragsolver_agents.formalizer.portfolio.spending import affordable, left_s, spent_s
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_contracts.run_config import Budget, PortfolioConfig, RunConfig
from ragsolver_contracts.testing import event
from suites.deciding_world import rejected


def case(*spent, lean_s=None, share=0.25):
    """A case whose attempts 1, 2, … took the given seconds; `-` for those at the negation."""
    verdicts = [
        VerdictIssued(
            attempt=number,
            candidate=0,
            verdict=rejected("no").model_copy(
                update={"elapsed_ms": abs(seconds) * 1_000, "negated": seconds < 0}
            ),
        )
        for number, seconds in enumerate(spent, 1)
    ]
    config = RunConfig(
        budget=Budget(lean_s=lean_s), portfolio=PortfolioConfig(negation_share=share)
    )
    return Case.fold("r1", "add_zero_nat", [event(item) for item in verdicts], config)


def test_all_checks_count():
    assert spent_s(case(2.0, -3.0)) == pytest.approx(5.0)
    assert spent_s(case(2.0, -3.0), negated=True) == pytest.approx(3.0)
    assert spent_s(case(2.0, -3.0), before=2) == pytest.approx(2.0)


def test_without_a_budget_everything_is_affordable():
    assert affordable(case(1e6), negated=True)
    assert left_s(case(1e6)) is None


def test_nothing_begins_beyond_the_budget():
    assert affordable(case(9.0, lean_s=10), negated=False)
    assert not affordable(case(9.0, 1.0, lean_s=10), negated=False)
    assert left_s(case(9.0, lean_s=10)) == pytest.approx(1.0)


def test_the_negation_has_its_share():
    assert affordable(case(-2.0, lean_s=10), negated=True)
    assert not affordable(case(-2.5, lean_s=10), negated=True)
    assert affordable(case(-2.5, lean_s=10), negated=False)
