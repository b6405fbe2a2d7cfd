"""The rules allow what the budget can pay; a model chooses among that and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragsolver_agents.attempts import ATTEMPT_CALLS
from ragsolver_agents.critic.routes import Standing, allowed, choose, standing_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import AttemptCritiqued, ProblemPlanned, ProofSketched
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.run_config import Budget, Engines, LlmConfig, RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event

ENGINES = Engines(planner="llm", generator="llm", formalizer="llm", critic="llm")
PLENTY = Standing(calls=20, attempts=8, all_attempts=40, plans=1, turns=3, lookups=2)

standings = st.builds(
    Standing,
    calls=st.integers(0, 24),
    attempts=st.integers(0, 9),
    all_attempts=st.integers(0, 9),
    plans=st.integers(0, 2),
    turns=st.integers(0, 3),
    lookups=st.integers(0, 2),
    missing=st.sampled_from([(), ("Nat.foo",)]),
    lean=st.booleans(),
)
advice = st.sampled_from([None, *Route])


def with_(**changes) -> Standing:
    return Standing(**{**vars(PLENTY), **changes})


@given(standings, advice)
def test_no_advice_leads_beyond_the_rules(standing, advised):
    route, why = choose(standing, advised)
    assert route in allowed(standing)
    assert why
    assert (route is Route.EXHAUSTED) == bool(standing.over)


@given(standings, advice)
def test_the_route_can_be_paid(standing, advised):
    route, _ = choose(standing, advised)
    cost = {Route.EXHAUSTED: 0, Route.REPLAN: 1 + ATTEMPT_CALLS}.get(route, ATTEMPT_CALLS)
    assert cost <= standing.calls


@given(st.integers(2, 24), st.lists(advice, min_size=30, max_size=30))
def test_a_budget_is_spent_to_the_last_call(calls, advised):
    """With a plan to make and critiques to ask for, whatever a model advises."""
    standing = with_(calls=calls, attempts=20, all_attempts=40, plans=2, turns=0)
    for wish in advised:
        route, _ = choose(standing, wish)
        if route is Route.EXHAUSTED:
            break
        plans = standing.plans - (route is Route.REPLAN)
        left = standing.calls - ATTEMPT_CALLS - (route is Route.REPLAN)
        assert left >= 0
        standing = with_(
            calls=left, attempts=standing.attempts - 1, all_attempts=40, plans=plans, turns=2
        )
        if standing.may_spend():
            standing = with_(**{**vars(standing), "calls": standing.calls - 1})
    # Three calls and no wish for a plan: nothing was critiqued yet that could take the third.
    assert standing.calls in ({0, 1} if calls == 3 else {0})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"calls": 0}, "All calls of the budget are used."),
        ({"calls": 1}, "1 call of the budget is left, and an attempt takes 2."),
        ({"attempts": 0}, "All attempts of the model are used."),
        ({"all_attempts": 0}, "All attempts of the budget are used."),
        ({"lean": False}, "The time with Lean is used."),
    ],
)
def test_what_is_used_up_is_said(changes, why):
    assert choose(with_(**changes), Route.RETRY) == (Route.EXHAUSTED, why)


def test_a_missing_name_is_looked_up_before_anything_else():
    assert allowed(with_(missing=("Nat.foo",))) == (Route.RE_RETRIEVE,)
    assert Route.RE_RETRIEVE not in allowed(with_(missing=("Nat.foo",), lookups=0))


def test_a_model_may_ask_for_another_plan_and_not_give_up():
    assert choose(PLENTY)[0] is Route.RETRY
    assert choose(PLENTY, Route.REPLAN)[0] is Route.REPLAN
    assert choose(PLENTY, Route.EXHAUSTED)[0] is Route.RETRY
    assert choose(with_(plans=0), Route.REPLAN)[0] is Route.RETRY


def test_a_plan_that_had_its_turns_is_replaced():
    assert choose(with_(turns=0))[0] is Route.REPLAN


@pytest.mark.parametrize(("calls", "may"), [(2, False), (3, True), (4, False), (5, True)])
def test_a_call_is_spent_beside_an_attempt_where_no_single_one_remains(calls, may):
    assert with_(calls=calls).may_spend() is may


def test_the_last_attempt_may_leave_a_call():
    assert with_(calls=4, attempts=1).may_spend()


def case(*payloads, **changes) -> Case:
    values = {"engines": ENGINES, "llm": LlmConfig(attempts=4, plans=2), **changes}
    return Case.fold("r1", "add_zero_nat", map(event, payloads), RunConfig(**values))


def planned(plan: int, engine: str = "llm") -> ProblemPlanned:
    goal = Subgoal(subgoal_id="s1", statement_nl="", search_queries=("q",))
    return ProblemPlanned(plan=plan, subgoals=(goal,), engine=engine)


def sketched(attempt: int, plan: int, engine: str = "llm") -> ProofSketched:
    return ProofSketched(attempt=attempt, plan=plan, text="x", engine=engine)


def looked_up(attempt: int, *names: str) -> AttemptCritiqued:
    return AttemptCritiqued(
        attempt=attempt,
        error_class=ErrorClass.OTHER,
        missing_identifiers=names,
        route=Route.RE_RETRIEVE,
    )


def test_the_first_move_of_the_model_is_a_plan():
    history = case(planned(1, "portfolio"), sketched(1, 1, "portfolio"))
    standing = standing_of(history, 1, 20)
    assert (standing.attempts, standing.plans) == (4, 2)
    assert choose(standing)[0] is Route.REPLAN


def test_a_planner_without_a_model_makes_no_plan_of_the_models():
    history = case(
        planned(1, "portfolio"),
        sketched(1, 1, "portfolio"),
        engines=ENGINES.model_copy(update={"planner": "portfolio"}),
    )
    assert choose(standing_of(history, 1, 20))[0] is Route.RETRY


def test_each_plan_has_its_share_of_the_attempts():
    history = [planned(1, "portfolio"), planned(2), sketched(1, 2)]
    assert choose(standing_of(case(*history), 1, 17))[0] is Route.RETRY
    assert choose(standing_of(case(*history, sketched(2, 2)), 2, 15))[0] is Route.REPLAN


def test_rounds_of_the_models_attempts_are_counted_apart():
    history = [
        planned(1, "portfolio"),
        sketched(1, 1, "portfolio"),
        looked_up(1, "Nat.a"),
        sketched(2, 1),
    ]
    one_round = RetrievalConfig(error_rounds=1)
    standing = standing_of(case(*history, retrieval=one_round), 2, 15, ("Nat.a", "Nat.b"))
    assert (standing.lookups, standing.missing) == (1, ("Nat.b",))
    later = [*history, looked_up(2, "Nat.b"), sketched(3, 1)]
    assert standing_of(case(*later, retrieval=one_round), 3, 13, ("Nat.c",)).lookups == 0


def test_nothing_is_looked_up_without_retrieval():
    history = case(planned(1), sketched(1, 1), retrieval=RetrievalConfig(enabled=False))
    assert standing_of(history, 1, 15, ("Nat.b",)).lookups == 0


def test_attempts_of_the_whole_budget_count():
    history = case(planned(1), sketched(1, 1), budget=Budget(attempts=1))
    assert choose(standing_of(history, 1, 15))[0] is Route.EXHAUSTED
