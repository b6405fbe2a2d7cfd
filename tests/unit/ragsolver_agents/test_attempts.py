"""Which triggers start an attempt."""

import pytest

from ragsolver_agents.attempts import (
    affordable_attempt,
    asks_model,
    attempts,
    end_of_plan,
    latest_attempt,
    model_attempts,
    model_attempts_left,
    model_plans,
    next_engine,
    next_plan,
    plan_engine,
    plan_of,
    started_attempt,
)
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    ProblemPlanned,
    ProofSketched,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.run_config import (
    Budget,
    Engines,
    LlmConfig,
    PortfolioConfig,
    PortfolioStage,
    RunConfig,
)
from ragsolver_contracts.testing import event
from suites.deciding_world import checked, evidence, view


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


def abandoned(agent: str, **fields) -> AttemptAbandoned:
    return AttemptAbandoned(agent=agent, outcome=LlmOutcome.INVALID, message="", **fields)


def folded(*payloads, config=None) -> Case:
    return Case.fold("r1", "add_zero_nat", map(event, payloads), config)


def test_only_evidence_of_the_last_subgoal_starts():
    first, last = evidence([]), evidence([]).model_copy(update={"subgoal_id": "s2"})
    assert started(planned(subgoals=2), first, last) == 1
    assert started(planned(subgoals=2), last, first) is None


def test_an_attempt_without_a_sketch_has_its_number_and_its_plan():
    history = [planned(), sketched(1), planned(2), abandoned("generator", plan=2, attempt=2)]
    case = folded(*history)
    assert (attempts(case), latest_attempt(case), plan_of(case, 2)) == ([1, 2], 2, 2)
    assert model_attempts(case) == [2]
    assert started(*history, critiqued(2, Route.RETRY)) == 3
    assert started(*history, evidence([], plan=2)) is None


def test_a_plan_without_an_answer_has_the_number_of_an_attempt():
    history = [planned(), sketched(1), abandoned("planner", plan=2)]
    assert end_of_plan(folded(*history), 2) == 2
    told = [*history, critiqued(2, Route.RETRY)]
    assert end_of_plan(folded(*told), 2) == 2
    assert plan_of(folded(*told), 2) == 2
    assert model_plans(folded(*told)) == 1
    assert started(*told) == 3


def test_a_plan_after_one_without_an_answer_has_a_number_of_its_own():
    history = [planned(), sketched(1), abandoned("planner", plan=2), critiqued(2, Route.RETRY)]
    assert next_plan(folded(*history[:2]), 1) == 2
    assert next_plan(folded(*history), 2) == 3
    assert next_plan(folded(*history, sketched(3)), 3) == 3
    assert next_plan(folded(*history, sketched(3), planned(3)), 3) == 3


def test_plans_are_the_models_after_the_portfolios_first():
    alone = RunConfig(engines=Engines(planner="llm"), llm=LlmConfig(portfolio_first=False))
    first = RunConfig(engines=Engines(planner="llm"))
    assert [plan_engine(folded(config=first), n) for n in (1, 2)] == ["portfolio", "llm"]
    assert plan_engine(folded(config=alone), 1) == "llm"
    assert plan_engine(folded(), 2) == "portfolio"


BOTH = Engines(generator="llm", formalizer="llm")
STATED = checked(view("n < 7", ("n", "Nat")))
CLOSE = PortfolioConfig(stages=(PortfolioStage(name="close", families=("close",)),))


def next_of(*payloads, **config):
    events = [event(payload) for payload in (STATED, planned(), *payloads)]
    case = Case.fold("r1", "add_zero_nat", events, RunConfig(**config))
    return next_engine(case, events[-1])


def test_the_model_takes_what_the_portfolio_leaves():
    assert next_of(engines=BOTH, portfolio=CLOSE) == "portfolio"
    assert next_of(engines=BOTH) == "llm"
    assert next_of() is None
    assert next_of(engines=BOTH, portfolio=CLOSE, llm=LlmConfig(portfolio_first=False)) == "llm"


def test_a_model_that_has_begun_goes_on():
    begun = sketched(1).model_copy(update={"engine": "llm", "stage": ""})
    assert next_of(begun, engines=BOTH, portfolio=CLOSE) == "llm"


def test_a_sketch_without_candidates_is_not_begun():
    assert next_of(engines=BOTH, budget=Budget(llm_calls=1)) is None
    assert next_of(engines=BOTH, budget=Budget(llm_calls=2)) == "llm"
    assert next_of(engines=BOTH, llm=LlmConfig(attempts=0)) is None
    assert not asks_model(folded(config=RunConfig()))


def test_attempts_of_the_whole_budget_are_counted():
    config = RunConfig(engines=BOTH, budget=Budget(attempts=1))
    assert affordable_attempt(folded(STATED, planned(), config=config))
    case = folded(STATED, planned(), sketched(1), config=config)
    assert not affordable_attempt(case)
    assert model_attempts_left(case) == 8
