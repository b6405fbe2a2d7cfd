"""A model is asked once, where its opinion can be used; Lean's word wins over it."""

from ragsolver_agents.critic.model import (
    attempt_to_critique,
    decide,
    statement_to_judge,
    waits,
)
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementJudged, StatementProposed
from ragsolver_contracts.events_work import (
    CandidateProposed,
    ProblemPlanned,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, Engines, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import accepted, checked, rejected, view
from suites.scripted_port import ScriptedPort

ENGINES = Engines(planner="llm", generator="llm", formalizer="llm", critic="llm")
PLAN = ProblemPlanned(
    plan=1, subgoals=(Subgoal(subgoal_id="s1", statement_nl="", search_queries=("q",)),)
)
SKETCH = ProofSketched(attempt=1, plan=1, text="by luck", engine="llm")
STATED = checked(view("n < 7", ("n", "Nat")))
NO = rejected("unsolved goals\n⊢ n < 7")
SAID = {"error_class": "unsolved_goals", "advice": "Do otherwise.", "route": "retry"}


def config(calls: int = 20, **changes) -> RunConfig:
    return RunConfig(engines=ENGINES.model_copy(update=changes), budget=Budget(llm_calls=calls))


def candidate(number: int, of: int = 2) -> CandidateProposed:
    return CandidateProposed(
        attempt=1,
        candidate=number,
        batch=0,
        closes_batch=number == of - 1,
        closes_attempt=number == of - 1,
        text=CandidateText(proof="by omega"),
        strategy=f"llm/{number + 1}",
        engine="llm",
    )


def verdict(number: int, said=NO, *, closes: bool = True) -> VerdictIssued:
    return VerdictIssued(attempt=1, candidate=number, closes_batch=closes, verdict=said)


ATTEMPT = (ProblemSubmitted(problem=problem()), STATED, PLAN, SKETCH, candidate(0), candidate(1))
JUDGED = (*ATTEMPT, verdict(0, closes=False), verdict(1))


def folded(*payloads, settings=None):
    events = [event(payload) for payload in payloads]
    return Case.fold("r1", "add_zero_nat", events, settings or config()), events


async def decided(*answers, payloads=JUDGED, settings=None, trigger=-1):
    case, events = folded(*payloads, settings=settings)
    port = ScriptedPort(*answers)
    return await decide(case, events[trigger], port), port


async def test_a_critique_is_the_models_within_the_rules():
    (critique,), port = await decided({**SAID, "route": "replan"})
    assert [(q.agent, q.purpose) for q in port.asked] == [("critic", "critique")]
    assert (critique.engine, critique.route) == ("llm", Route.REPLAN)
    assert critique.error_class is ErrorClass.UNSOLVED_GOALS
    assert critique.advice.startswith("Do otherwise.")


async def test_it_may_not_give_up_while_calls_are_left():
    (critique,), _ = await decided({**SAID, "route": "exhausted"})
    assert critique.route is not Route.EXHAUSTED


async def test_leans_word_wins():
    payloads = (
        *ATTEMPT,
        verdict(0, closes=False),
        verdict(1, rejected("Unknown constant `Nat.x`")),
    )
    said = {**SAID, "error_class": "timeout", "missing_identifiers": ["Nat.y"]}
    (critique,), _ = await decided(said, payloads=payloads)
    assert critique.error_class is ErrorClass.UNKNOWN_IDENTIFIER
    assert critique.missing_identifiers == ("Nat.x",)
    assert critique.route is Route.RE_RETRIEVE


async def test_a_suspect_statement_ends_the_problem_with_the_reason():
    said = {**SAID, "suspect_statement": True, "reason": "n = 9 contradicts it."}
    (critique,), _ = await decided(said)
    assert critique.route is Route.EXHAUSTED
    (failed,), _ = await decided(payloads=(*JUDGED, critique))
    assert failed.outcome is Outcome.NOT_PROVED
    assert failed.message == "The statement is suspect: n = 9 contradicts it."


async def test_a_suspicion_without_a_reason_is_none():
    (critique,), _ = await decided({**SAID, "suspect_statement": True})
    assert critique.route is not Route.EXHAUSTED


async def test_without_an_answer_the_rules_decide():
    (critique,), _ = await decided(LlmOutcome.REFUSED)
    assert (critique.engine, critique.route) == ("portfolio", Route.REPLAN)
    (critique,), _ = await decided(None)
    assert critique.route is Route.EXHAUSTED
    (failed,), _ = await decided(payloads=(*JUDGED, critique))
    assert failed.outcome is Outcome.NOT_PROVED


async def test_no_call_is_wasted_where_no_attempt_can_follow():
    for calls in (1, 2, 4):
        said, port = await decided(settings=config(calls))
        assert port.asked == []
        assert (said[0].route is Route.EXHAUSTED) == (calls < 2)


async def test_the_call_of_the_critique_counts_for_what_follows():
    (critique,), _ = await decided({**SAID, "route": "replan"}, settings=config(3))
    assert critique.route is Route.RETRY


async def test_a_portfolios_critic_asks_nobody():
    (critique,), port = await decided(settings=config(critic="portfolio"))
    assert port.asked == []
    assert critique.route is Route.REPLAN


async def test_an_accepted_proof_needs_no_critique():
    (solved,), port = await decided(payloads=(*ATTEMPT, verdict(0, accepted())))
    assert solved.report.outcome is Outcome.SOLVED
    assert port.asked == []


async def test_a_late_delivery_leaves_the_attempt_to_the_last_verdict():
    said, port = await decided(trigger=-2)
    assert (said, port.asked) == ([], [])
    case, events = folded(*JUDGED)
    assert waits(case, events[-2])
    assert not waits(case, events[-1])
    assert attempt_to_critique(case, events[-1]) == 1


async def test_a_delivery_that_comes_again_decides_as_the_first_did():
    _, events = folded(*JUDGED, settings=config(3))
    reserved = event(LlmReserved(call=1, agent="critic", purpose="critique"), cause=events[-1])
    again = Case.fold("r1", "add_zero_nat", [*events, reserved], config(3))
    assert attempt_to_critique(again, events[-1]) == 1


async def test_checks_that_failed_need_no_opinion():
    def dead(number: int) -> WorkFailed:
        return WorkFailed(
            failed_role="verifier",
            trigger_id="1",
            trigger_type="t",
            error="E",
            message="m",
            attempt=1,
            candidate=number,
        )

    said, port = await decided(payloads=(*ATTEMPT, dead(0), dead(1)))
    assert port.asked == []
    assert said[0].error_class is ErrorClass.INFRASTRUCTURE


WORDS = (
    ProblemSubmitted(problem=problem(formal_statement=None, declaration=None)),
    StatementProposed(statement=1, formal_statement="theorem t : x", notes="trust me"),
    STATED.model_copy(update={"statement": 1}),
)


async def test_a_machine_written_statement_is_judged_once():
    (judged,), port = await decided({"faithful": True, "reason": "Same."}, payloads=WORDS)
    assert judged == StatementJudged(statement=1, faithful=True, reason="Same.")
    assert [q.purpose for q in port.asked] == ["fidelity"]
    case, events = folded(*WORDS, judged)
    assert statement_to_judge(case, events[2]) is None


async def test_a_posted_statement_is_not():
    case, events = folded(*ATTEMPT)
    assert statement_to_judge(case, events[1]) is None


def test_the_calls_of_others_are_counted():
    called = LlmCalled(
        call=1,
        agent="generator",
        purpose="sketch",
        prompt_id="p",
        prompt_hash="h",
        model="m",
        request_hash="r",
        response="",
        stop_reason="",
    )
    case, events = folded(*JUDGED[:-1], called, verdict(1), settings=config(3))
    assert attempt_to_critique(case, events[-1]) is None
