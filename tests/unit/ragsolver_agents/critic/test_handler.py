"""The critic is wired to what it decides on."""

from importlib.metadata import entry_points

from ragsolver_agents.critic.handler import WORKER
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import AttemptCritiqued, VerdictIssued
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.testing import event
from suites.deciding_world import accepted, checked, view
from suites.family_world import closed


def test_the_worker_is_registered_under_its_role():
    (found,) = entry_points(group="ragsolver.workers", name="critic")
    assert found.load() is WORKER
    assert WORKER.role == "critic"


def test_statable_statements_are_the_planners():
    refused = StatementChecked(statable=False, reason=RefusalReason.NEEDS_MATHLIB)
    assert not WORKER.wants(event(checked(view("True"))))
    assert WORKER.wants(event(refused))
    assert WORKER.wants(event(VerdictIssued(attempt=1, candidate=0, verdict=accepted())))


def test_of_its_own_judgements_it_wants_those_that_may_end_a_problem():
    def critique(route):
        return event(AttemptCritiqued(attempt=1, error_class="other", route=route))

    assert WORKER.wants(critique("exhausted"))
    assert not WORKER.wants(critique("retry"))
    assert WORKER.wants(event(StatementJudged(statement=1, faithful=False, reason="")))
    assert not WORKER.wants(event(StatementJudged(statement=1, faithful=True, reason="")))
    assert WORKER.wants(event(checked(view("True")).model_copy(update={"statement": 1})))


def test_it_may_not_issue_verdicts():
    assert VerdictIssued not in WORKER.emits


def test_holes_that_stay_open_are_its_own_and_solved_ones_are_not():
    assert WORKER.wants(event(closed("h1", Outcome.NOT_PROVED)))
    assert not WORKER.wants(event(closed("h1")))
    assert {ProblemDecomposed, ProblemSubmitted, HoleClosed, ProblemCancelled} <= set(WORKER.emits)
