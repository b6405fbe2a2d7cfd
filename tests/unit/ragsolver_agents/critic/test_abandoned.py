"""No answer of a model leads to the next attempt, or to an end that says what to do."""

import pytest

from ragsolver_agents.critic.decide import decide
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import StatementJudged
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    ProblemFailed,
    ProblemPlanned,
    ProofSketched,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, Engines, LlmConfig, RunConfig
from ragsolver_contracts.testing import event, problem

ENGINES = Engines(planner="llm", generator="llm", formalizer="llm", critic="llm")
CONFIG = RunConfig(engines=ENGINES, llm=LlmConfig(model="some-model"))
PLAN = ProblemPlanned(
    plan=1, subgoals=(Subgoal(subgoal_id="s1", statement_nl="", search_queries=("q",)),)
)


def ended(agent, outcome, **fields) -> AttemptAbandoned:
    values = {"agent": agent, "outcome": outcome, "message": "so it went", "plan": 1, **fields}
    return AttemptAbandoned(**values)


def called(outcome=LlmOutcome.ANSWERED, call: int = 1) -> LlmCalled:
    return LlmCalled(
        call=call,
        agent="planner",
        purpose="plan",
        prompt_id="p",
        prompt_hash="h",
        model="m",
        request_hash="r",
        response="",
        stop_reason="",
        outcome=outcome,
    )


def decided(*payloads, config=CONFIG):
    events = [event(payload) for payload in (ProblemSubmitted(problem=problem()), PLAN, *payloads)]
    return decide(Case.fold("r1", "add_zero_nat", events, config), events[-1])


def sketched(attempt: int) -> ProofSketched:
    return ProofSketched(attempt=attempt, plan=1, text="x", engine="llm")


SAID = [
    LlmOutcome.REFUSED,
    LlmOutcome.TRUNCATED,
    LlmOutcome.INVALID,
    LlmOutcome.CONTEXT_OVERFLOW,
]


@pytest.mark.parametrize("outcome", SAID)
def test_an_answer_that_is_none_leads_to_the_next_attempt(outcome):
    (critique,) = decided(called(), ended("generator", outcome, attempt=1))
    assert isinstance(critique, AttemptCritiqued)
    assert critique.attempt == 1
    assert critique.route in {Route.RETRY, Route.REPLAN}
    assert critique.advice.startswith("No model gave a sketch for attempt 1: so it went. ")


def test_candidates_that_do_not_come_end_their_attempt_only():
    (critique,) = decided(
        called(), sketched(1), ended("formalizer", LlmOutcome.TRUNCATED, attempt=1)
    )
    assert (critique.attempt, critique.route) == (1, Route.REPLAN)


def test_a_plan_that_does_not_come_takes_the_number_of_an_attempt():
    history = [called(), sketched(1), ended("planner", LlmOutcome.INVALID, plan=2)]
    (critique,) = decided(*history)
    assert critique.attempt == 2
    assert decided(*history[:-1], critique, history[-1]) == []


def test_the_last_attempt_without_an_answer_ends_the_problem():
    config = CONFIG.model_copy(update={"llm": LlmConfig(attempts=1)})
    critique, failed = decided(
        called(), ended("generator", LlmOutcome.REFUSED, attempt=1), config=config
    )
    assert critique.route is Route.EXHAUSTED
    assert isinstance(failed, ProblemFailed)
    assert failed.outcome is Outcome.NOT_PROVED
    (record,) = failed.report.attempts
    assert (record.engine, record.candidates) == ("llm", 0)


def test_an_end_is_told_again_by_a_delivery_that_comes_again():
    config = CONFIG.model_copy(update={"llm": LlmConfig(attempts=1)})
    abandoned = ended("generator", LlmOutcome.REFUSED, attempt=1)
    critique, failed = decided(called(), abandoned, config=config)
    (again,) = decided(called(), critique, abandoned, config=config)
    assert again.message == failed.message
    assert again.report.attempts[0].outcome == "no answer"


def test_a_used_budget_is_a_normal_end():
    taken = [LlmReserved(call=n, agent="planner", purpose="plan") for n in range(1, 21)]
    critique, failed = decided(*taken, ended("generator", None, attempt=1, message=""))
    assert critique.route is Route.EXHAUSTED
    assert failed.outcome is Outcome.NOT_PROVED
    assert "All calls of the budget are used." in failed.message
    assert failed.report.llm_calls == 20


@pytest.mark.parametrize(
    ("outcome", "hint"),
    [
        (LlmOutcome.UNAUTHORIZED, "ANTHROPIC_API_KEY"),
        (LlmOutcome.REJECTED, "llm.model = 'some-model'"),
        (LlmOutcome.CONNECTION, "base_url"),
        (LlmOutcome.STALLED, "stall_s"),
        (LlmOutcome.OVERLOADED, "later"),
        (LlmOutcome.RATE_LIMITED, "requests_per_minute"),
        (LlmOutcome.SERVER_ERROR, "later"),
        (LlmOutcome.LOST, "log"),
    ],
)
def test_where_nobody_answered_the_end_says_what_to_do(outcome, hint):
    (failed,) = decided(called(outcome), ended("generator", outcome, attempt=1))
    assert failed.outcome is Outcome.INFRASTRUCTURE
    assert hint in failed.message
    assert "so it went" in failed.message


def test_a_server_that_answered_before_is_asked_again_in_the_next_attempt():
    (critique,) = decided(called(), ended("generator", LlmOutcome.CONNECTION, attempt=1))
    assert critique.route in {Route.RETRY, Route.REPLAN}


def test_a_refused_key_ends_the_problem_at_once():
    (failed,) = decided(called(), ended("generator", LlmOutcome.UNAUTHORIZED, attempt=1))
    assert failed.outcome is Outcome.INFRASTRUCTURE


def test_an_end_on_a_failure_of_the_server_is_no_verdict():
    config = CONFIG.model_copy(update={"budget": Budget(attempts=1)})
    critique, failed = decided(
        called(), ended("generator", LlmOutcome.STALLED, attempt=1), config=config
    )
    assert critique.route is Route.EXHAUSTED
    assert failed.outcome is Outcome.INFRASTRUCTURE


def unwritten(statement: int, outcome=LlmOutcome.REFUSED) -> AttemptAbandoned:
    return ended("formalizer", outcome, plan=0, statement=statement)


def test_a_statement_that_does_not_come_is_asked_for_again():
    (judged,) = decided(called(), unwritten(1))
    assert judged == StatementJudged(
        statement=1, faithful=False, reason="There is none: so it went"
    )
    assert decided(called(), judged, unwritten(1)) == []


@pytest.mark.parametrize("last", [unwritten(3), unwritten(1, None)])
def test_without_a_statement_there_is_nothing_to_prove(last):
    (failed,) = decided(called(), last)
    assert failed.outcome is Outcome.NOT_PROVED
    assert failed.message == "No Lean statement was written for the words: so it went"


def test_a_late_end_of_an_old_attempt_changes_nothing():
    assert decided(called(), sketched(2), ended("generator", LlmOutcome.INVALID, attempt=1)) == []
