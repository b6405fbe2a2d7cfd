"""A sketch with holes that nobody decomposed ends its attempt; anything else is left alone."""

from ragsolver_agents.critic.decide import decide
from ragsolver_agents.critic.family import left_open
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events_family import ChildProblem, ProblemDecomposed
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.run_config import Budget, Engines, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import checked, rejected, view

LLM = RunConfig(engines=Engines(generator="llm", formalizer="llm", critic="llm"))
SKETCH = ProofSketched(attempt=1, plan=1, text="split it", proof="by\n  sorry", engine="llm")
VERDICT = VerdictIssued(attempt=1, candidate=0, verdict=rejected("declaration uses sorry"))


def proposed(*, skeleton, number=0):
    return CandidateProposed(
        attempt=1,
        candidate=number,
        batch=number,
        closes_batch=True,
        closes_attempt=False,
        text=CandidateText(proof="by\n  sorry"),
        strategy="llm/skeleton" if skeleton else "llm/1",
        skeleton=skeleton,
        engine="llm",
    )


def case_of(*payloads, config=LLM):
    asked = ProblemSubmitted(problem=problem())
    events = [event(p) for p in (asked, checked(view("n < 7")), SKETCH, *payloads)]
    return Case.fold("r1", events[0].problem_id, events, config), events[-1]


def test_a_judged_skeleton_is_critiqued_and_the_next_attempt_follows():
    case, trigger = case_of(proposed(skeleton=True), VERDICT)
    (critique,) = decide(case, trigger)
    assert isinstance(critique, AttemptCritiqued)
    assert (critique.attempt, critique.route) == (1, Route.RETRY)


def test_the_report_of_the_last_attempt_says_how_its_skeleton_ended():
    last = LLM.model_copy(update={"budget": Budget(attempts=1)})
    case, trigger = case_of(proposed(skeleton=True), VERDICT, config=last)
    critique, failed = decide(case, trigger)
    assert critique.route is Route.EXHAUSTED
    (attempt,) = failed.report.attempts
    assert attempt.outcome == critique.error_class.value


def test_a_skeleton_whose_check_failed_is_over_too():
    lost = WorkFailed(
        failed_role="verifier",
        stage="handle",
        error="SessionDied",
        message="it died",
        deliveries=5,
        trigger_id="x",
        trigger_type="candidate_proposed",
        attempt=1,
        candidate=0,
    )
    case, _ = case_of(proposed(skeleton=True), lost)
    assert left_open(case, 1)


def test_a_skeleton_that_is_not_judged_is_waited_for():
    case, _ = case_of(proposed(skeleton=True))
    assert not left_open(case, 1)


def test_an_attempt_without_candidates_is_waited_for():
    assert not left_open(case_of()[0], 1)


def test_an_open_attempt_of_plain_candidates_is_waited_for():
    case, trigger = case_of(proposed(skeleton=False), VERDICT)
    assert not left_open(case, 1)
    assert decide(case, trigger) == []


def test_an_assembled_proof_is_waited_for():
    case, _ = case_of(proposed(skeleton=True), VERDICT, proposed(skeleton=False, number=1))
    assert not left_open(case, 1)


def test_what_was_decomposed_is_waited_for():
    child = ChildProblem(
        hole_id="h1", problem_id="p.a1.h1", formal_statement="theorem x : True", declaration="x"
    )
    case, trigger = case_of(
        proposed(skeleton=True), VERDICT, ProblemDecomposed(attempt=1, children=(child,))
    )
    assert not left_open(case, 1)
    assert decide(case, trigger) == []
