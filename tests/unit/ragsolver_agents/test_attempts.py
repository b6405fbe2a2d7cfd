"""Which triggers start an attempt."""

import pytest

from ragsolver_agents.attempts import started_attempt
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import AttemptCritiqued, ProblemPlanned, ProofSketched
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.testing import event
from suites.deciding_world import evidence


def planned(plan: int = 1, subgoals: int = 1) -> ProblemPlanned:
    goals = tuple(
        Subgoal(subgoal_id=f"s{n + 1}", statement_nl="", search_queries=("q",))
        for n in range(subgoals)
    )
    return ProblemPlanned(plan=plan, subgoals=goals)


def sketched(attempt: int, plan: int = 1) -> ProofSketched:
    return ProofSketched(attempt=attempt, plan=plan, text="x", stage="close")


def critiqued(attempt: int, route: Route) -> AttemptCritiqued:
    return AttemptCritiqued(attempt=attempt, error_class=ErrorClass.OTHER, route=route)


def started(*payloads):
    """What the last of the payloads starts, the others being known."""
    events = [event(payload) for payload in payloads]
    case = Case.fold("r1", "add_zero_nat", events)
    return started_attempt(case, events[-1])


def test_evidence_of_the_whole_plan_starts_the_first_attempt():
    assert started(planned(), evidence([])) == 1


def test_evidence_of_one_of_two_subgoals_starts_nothing():
    assert started(planned(subgoals=2), evidence([])) is None


def test_evidence_for_a_critique_starts_the_attempt_after_it():
    assert started(planned(), sketched(1), evidence([], attempt=1)) == 2


def test_retry_starts_the_attempt_after_the_criticised_one():
    assert started(planned(), sketched(1), sketched(2), critiqued(2, Route.RETRY)) == 3


@pytest.mark.parametrize("route", [Route.RE_RETRIEVE, Route.REPLAN, Route.EXHAUSTED])
def test_other_routes_start_nothing(route):
    assert started(planned(), sketched(1), critiqued(1, route)) is None


def test_evidence_of_a_second_plan_starts_the_attempt_after_the_first_plans_last():
    assert started(planned(), sketched(1), sketched(2), planned(2), evidence([], plan=2)) == 3


def test_evidence_of_an_old_plan_starts_nothing():
    assert started(planned(), planned(2), evidence([])) is None


def test_a_trigger_whose_attempt_has_its_sketch_starts_nothing():
    assert started(planned(), sketched(1), evidence([])) is None
