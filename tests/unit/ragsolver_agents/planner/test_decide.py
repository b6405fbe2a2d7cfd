"""Given these events, expect these plans."""

import pytest

from ragsolver_agents.planner.decide import decide
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import AttemptCritiqued, ProofSketched
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.run_config import PlannerConfig, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import checked, view

SUBMITTED = ProblemSubmitted(problem=problem())
CHECKED = checked(view("n + 0 = n", ("n", "Nat"), constants=("HAdd.hAdd",)))


def decided(*payloads, config=None):
    events = [event(payload) for payload in payloads]
    return decide(Case.fold("r1", "add_zero_nat", events, config), events[-1])


def test_a_statable_statement_gets_plan_1_with_one_subgoal():
    (plan,) = decided(SUBMITTED, CHECKED)
    assert plan.plan == 1
    (subgoal,) = plan.subgoals
    assert subgoal.statement_nl == "Adding zero changes nothing."
    assert subgoal.formal_hint == "n + 0 = n"
    assert subgoal.math_area == "algebra"
    assert subgoal.search_queries[0] == "n + 0 = n"


def test_a_statement_that_is_not_statable_is_the_critics():
    refused = StatementChecked(statable=False, reason=RefusalReason.NEEDS_MATHLIB)
    assert decided(SUBMITTED, refused) == []


@pytest.mark.parametrize(("route", "plans"), [(Route.REPLAN, [2]), (Route.RETRY, [])])
def test_only_the_route_replan_gives_another_plan(route, plans):
    sketch = ProofSketched(attempt=1, plan=1, text="x")
    critique = AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=route)
    assert [p.plan for p in decided(SUBMITTED, CHECKED, sketch, critique)] == plans


def test_a_machine_written_statement_waits_for_its_judgement():
    written = CHECKED.model_copy(update={"statement": 1})
    assert decided(SUBMITTED, written) == []


def test_without_a_plan_of_its_own_it_asks_for_the_statement_alone():
    alone = RunConfig(planner=PlannerConfig(queries="statement"))
    (plan,) = decided(SUBMITTED, CHECKED, config=alone)
    (subgoal,) = plan.subgoals
    assert subgoal.search_queries == ("n + 0 = n",)
    assert subgoal.formal_hint == "n + 0 = n"
    assert subgoal.math_area == ""
