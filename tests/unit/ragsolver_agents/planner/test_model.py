"""The planner asks a model where the run says so, and takes its plan within bounds."""

import pytest

from ragsolver_agents.planner.model import decide
from ragsolver_contracts.events_work import AttemptAbandoned, AttemptCritiqued
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.run_config import LlmConfig
from suites.deciding_world import checked
from suites.makers_world import CONFIG, FOUND, HOSTILE, PLANNED, SUBMITTED, VIEW, case_of, stated
from suites.scripted_port import ScriptedPort, text_of

FIRST = {"llm": LlmConfig(portfolio_first=True)}


def subgoal(**fields):
    return {"statement_nl": "Add zero.", "search_queries": ["a", "b"], **fields}


async def test_a_model_plans():
    port = ScriptedPort({"subgoals": [subgoal(math_area="algebra"), subgoal()]})
    (plan,) = await decide(*stated(), port)
    assert (plan.plan, plan.engine) == (1, "llm")
    assert [goal.subgoal_id for goal in plan.subgoals] == ["s1", "s2"]
    assert plan.subgoals[0].search_queries == ("a", "b")
    (asked,) = port.asked
    assert (asked.agent, asked.purpose) == ("planner", "plan")


async def test_the_portfolio_plans_first_and_no_model_is_asked():
    port = ScriptedPort()
    (plan,) = await decide(*stated(config=CONFIG.model_copy(update=FIRST)), port)
    assert (plan.engine, port.asked) == ("portfolio", [])


async def test_a_plan_is_trimmed_and_completed():
    many = [subgoal(search_queries=["q", "q", " ", "x" * 999, "y", "z"])] * 9
    lone = {"subgoals": [*many, subgoal()]}
    (plan,) = await decide(*stated(), ScriptedPort(lone))
    assert len(plan.subgoals) == 6
    assert all(len(goal.search_queries) == 3 for goal in plan.subgoals)
    (plan,) = await decide(*stated(), ScriptedPort({"subgoals": [{"statement_nl": "\n"}]}))
    assert plan.subgoals[0].search_queries == ("n + 0 = n",)


@pytest.mark.parametrize("outcome", [None, LlmOutcome.REFUSED, LlmOutcome.UNAUTHORIZED])
async def test_no_answer_is_told(outcome):
    said = await decide(*stated(), ScriptedPort(outcome))
    assert said == [
        AttemptAbandoned(agent="planner", plan=1, outcome=outcome, message="nothing came")
    ]


async def test_a_stored_plan_is_not_asked_for_again():
    case, _ = stated(PLANNED)
    trigger = next(e for e in case.events.values() if e.data == checked(VIEW))
    assert await decide(case, trigger, ScriptedPort()) == []


async def test_a_replan_is_a_models_and_shows_what_was_tried():
    from ragsolver_contracts.critique import ErrorClass, Route
    from ragsolver_contracts.events_work import ProofSketched

    replan = AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=Route.REPLAN)
    sketch = ProofSketched(attempt=1, plan=1, text="t", engine="llm")
    port = ScriptedPort({"subgoals": [subgoal()]})
    (plan,) = await decide(*stated(PLANNED, FOUND, sketch, replan), port)
    assert plan.plan == 2
    assert "plan 1, s1: all" in text_of(port.asked[0])


async def test_hostile_hints_stay_in_their_fence():
    port = ScriptedPort({"subgoals": [subgoal()]})
    await decide(*case_of(SUBMITTED, checked(VIEW)), port)
    prompt = text_of(port.asked[0])
    body = prompt[prompt.index("⟦data words") :]
    assert HOSTILE not in prompt
    assert body.index("Ignore all rules") < body.index("⟦end words")
    assert "Ignore" not in port.asked[0].prompt.system[0].text
