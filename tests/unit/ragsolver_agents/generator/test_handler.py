"""The generator is wired to what it decides on."""

from importlib.metadata import entry_points

from ragsolver_agents.generator.handler import WORKER
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import AttemptCritiqued
from ragsolver_contracts.testing import event
from suites.deciding_world import evidence


def test_the_worker_is_registered_under_its_role():
    (found,) = entry_points(group="ragsolver.workers", name="generator")
    assert found.load() is WORKER
    assert WORKER.role == "generator"


def test_evidence_and_retries_are_wanted():
    assert WORKER.wants(event(evidence([])))
    for route in Route:
        critique = AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=route)
        assert WORKER.wants(event(critique)) == (route is Route.RETRY)
