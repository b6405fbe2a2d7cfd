"""The critic is wired to what it decides on."""

from importlib.metadata import entry_points

from ragsolver_agents.critic.handler import WORKER
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.testing import event
from suites.deciding_world import accepted, checked, view


def test_the_worker_is_registered_under_its_role():
    (found,) = entry_points(group="ragsolver.workers", name="critic")
    assert found.load() is WORKER
    assert WORKER.role == "critic"


def test_statable_statements_are_the_planners():
    refused = StatementChecked(statable=False, reason=RefusalReason.NEEDS_MATHLIB)
    assert not WORKER.wants(event(checked(view("True"))))
    assert WORKER.wants(event(refused))
    assert WORKER.wants(event(VerdictIssued(attempt=1, candidate=0, verdict=accepted())))


def test_it_may_not_issue_verdicts():
    assert VerdictIssued not in WORKER.emits
