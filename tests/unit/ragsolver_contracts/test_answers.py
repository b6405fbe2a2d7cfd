from ragsolver_contracts.answers import (
    ONLY,
    AnswerKind,
    answers_of,
    decider,
    llm_key,
    reported_proof,
)
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_work import CandidateProposed
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import World, accepted, checked, rejected, view
from suites.sample_run import RUN, sample_run

STATEMENT = checked(view("n < 7", ("n", "ℕ")))


def solved() -> Case:
    events = [e for e in sample_run() if e.problem_id == "add_zero_nat"]
    return Case.fold(RUN, "add_zero_nat", events)


def test_a_solved_problem_answers_statement_retrieval_and_verdicts() -> None:
    found = list(answers_of(solved()))
    kinds = [answer.kind for answer in found]
    assert kinds[:2] == [AnswerKind.STATEMENT, AnswerKind.RETRIEVAL]
    assert AnswerKind.VERDICT in kinds
    (decisive,) = [a for a in found if a.kind is AnswerKind.DECIDER]
    assert decisive.key == ONLY
    assert isinstance(decisive.event.data, CandidateProposed)
    key = (decisive.event.data.attempt, decisive.event.data.candidate)
    assert decider(solved()) == key
    proof = reported_proof(solved())
    assert proof is not None
    assert (proof.attempt, proof.candidate) == key


def test_an_open_problem_has_no_decider() -> None:
    assert decider(Case("r1", "p")) is None
    assert list(answers_of(Case("r1", "p"))) == []


def test_a_retrieval_that_was_switched_off_answers_nothing() -> None:
    events = [e for e in sample_run() if e.problem_id == "add_zero_nat"]
    config = RunConfig(retrieval=RetrievalConfig(enabled=False))
    case = Case.fold(RUN, "add_zero_nat", events, config)
    assert AnswerKind.RETRIEVAL not in {answer.kind for answer in answers_of(case)}


def test_a_failed_check_is_an_answer() -> None:
    world = World(problem("asked"), STATEMENT, lambda _: None)
    world.events = [
        event(ProblemSubmitted(problem=world.problem), problem_id="asked"),
        event(STATEMENT, problem_id="asked"),
        event(proposed(1, 0), problem_id="asked"),
    ]
    failed = WorkFailed(
        failed_role="verifier",
        trigger_id="x",
        trigger_type="t",
        error="E",
        message="m",
        attempt=1,
        candidate=0,
    )
    world.events.append(event(failed, problem_id="asked"))
    (answer,) = [a for a in answers_of(world.case()) if a.kind is AnswerKind.VERDICT]
    assert answer.event.data == failed


def proposed(attempt: int, candidate: int, proof: str = "by x") -> CandidateProposed:
    return CandidateProposed(
        attempt=attempt,
        candidate=candidate,
        batch=0,
        closes_batch=True,
        closes_attempt=True,
        text={"proof": proof},
        strategy="s",
    )


def test_what_the_decision_overtook_is_recorded_as_not_judged() -> None:
    world = World(
        problem("asked", formal_statement="theorem asked : x"),
        STATEMENT,
        lambda item: accepted() if item.candidate == 0 else rejected("no"),
    )
    config = {"portfolio": {"batch_size": 2, "stages": [{"name": "c", "families": ["close"]}]}}
    world.config = RunConfig.model_validate(config)
    world.play()
    answers = [a.event.data for a in answers_of(world.case()) if a.kind is AnswerKind.VERDICT]
    overtaken = [data for data in answers if isinstance(data, CandidateProposed)]
    assert len(overtaken) == len(world.case().candidates) - 1


def test_the_same_llm_request_twice_has_two_answers() -> None:
    calls = [
        LlmCalled(
            call=number,
            agent="planner",
            purpose="plan",
            prompt_id="p",
            prompt_hash="h",
            model="m",
            request_hash="same",
            response=f"answer {number}",
            stop_reason="end_turn",
        )
        for number in (1, 2)
    ]
    case = Case.fold("r1", "p", [event(call, problem_id="p") for call in calls])
    found = {a.key: a.event.data for a in answers_of(case)}
    assert found == {llm_key("same", 0): calls[0], llm_key("same", 1): calls[1]}
