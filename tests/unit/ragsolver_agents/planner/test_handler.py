"""The planner is wired to what it decides on."""

from importlib.metadata import entry_points

from ragsolver_agents.planner.handler import WORKER
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import AttemptCritiqued
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.testing import event
from suites.deciding_world import checked, view

CHECKED = checked(view("True"))
REFUSED = StatementChecked(statable=False, reason=RefusalReason.NEEDS_MATHLIB)


def _critique(route):
    return AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=route)


def test_the_worker_is_registered_under_its_role():
    (found,) = entry_points(group="ragsolver.workers", name="planner")
    assert found.load() is WORKER
    assert WORKER.role == "planner"


def test_only_statable_statements_and_replans_are_wanted():
    yes = [CHECKED, _critique(Route.REPLAN)]
    no = [REFUSED, _critique(Route.RETRY)]
    assert all(WORKER.wants(event(payload)) for payload in yes)
    assert not any(WORKER.wants(event(payload)) for payload in no)
