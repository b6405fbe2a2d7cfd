import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    VerdictIssued,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.run_config import Budget, RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event
from ragsolver_contracts.verdict import Verdict
from ragsolver_runtime.replay.compare import Cause, first_difference, partings
from ragsolver_runtime.replay.source import BusRun
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, TOOLCHAIN, sample_run

EVENTS = [e for e in sample_run() if e.problem_id == "hard"]


def fold(events=EVENTS, config=None) -> Case:
    return Case.fold(RUN, "hard", events, config)


def changed(kind, change, config=None, nth=0) -> Case:
    """The problem with one event changed."""
    chosen = [e for e in EVENTS if isinstance(e.data, kind)][nth]
    other = chosen.model_copy(update={"data": change(chosen.data)})
    return fold([other if e is chosen else e for e in EVENTS], config)


def verdict(**changes):
    return lambda data: data.model_copy(
        update={"verdict": data.verdict.model_copy(update=changes)}
    )


def test_equal_runs_do_not_part() -> None:
    assert first_difference(fold(), fold(list(reversed(EVENTS)))) is None


def test_another_verdict_is_named_with_worker_field_and_values() -> None:
    found = first_difference(fold(), changed(VerdictIssued, verdict(goals=("⊢ False",))))
    assert found is not None
    assert (found.cause, found.worker) == (Cause.VERDICT, "verifier")
    assert (found.event, found.field) == ("verdict_issued 1.0", "/goals")
    assert (found.old, found.new) == ("(its default)", '["⊢ False"]')


def test_the_earliest_difference_is_told() -> None:
    case = changed(VerdictIssued, verdict(goals=("x",)))
    events = [e for e in case.events.values() if not isinstance(e.data, EvidenceRetrieved)]
    found = first_difference(fold(), fold(events))
    assert found is not None
    assert (found.event, found.field) == ("evidence_retrieved 1.s1.0", "")
    assert (found.cause, found.new) == (Cause.RETRIEVAL, "(not there)")


def test_another_toolchain_is_called_that() -> None:
    lean = TOOLCHAIN.model_copy(update={"lean_version": "5"})
    found = first_difference(fold(), changed(VerdictIssued, verdict(toolchain=lean)))
    assert found is not None
    assert (found.cause, found.field) == (Cause.TOOLCHAIN, "/lean/lean_version")


def test_a_limit_is_no_other_opinion() -> None:
    slow = Verdict(
        status="inconclusive", reason="timeout", statement_digest="d", toolchain=TOOLCHAIN
    )
    other = changed(VerdictIssued, lambda data: data.model_copy(update={"verdict": slow}))
    found = first_difference(fold(), other)
    assert found is not None
    assert found.cause is Cause.LIMITS


def test_a_changed_configuration_is_named_by_its_fields() -> None:
    config = RunConfig(budget=Budget(attempts=7))
    without_end = [e for e in EVENTS if not isinstance(e.data, ProblemFailed)]
    found = first_difference(fold(), fold(without_end, config))
    assert found is not None
    assert (found.cause, found.event) == (Cause.CONFIGURATION, "end")
    assert "budget.attempts" in found.detail
    unfinished = first_difference(fold(), fold(without_end))
    assert unfinished is not None
    assert unfinished.cause is Cause.LIMITS


def test_the_same_question_decided_otherwise_is_told_apart() -> None:
    other = changed(
        CandidateProposed,
        lambda data: data.model_copy(update={"strategy": "another"}),
    )
    found = first_difference(fold(), other)
    assert found is not None
    assert (found.cause, found.worker) == (Cause.DECISION, "formalizer")


@pytest.mark.parametrize(("who", "cause"), [("replay", "LLM answer"), ("anna", "input")])
def test_a_missing_llm_answer_is_no_persons_cancellation(who: str, cause: str) -> None:
    stopped = ProblemCancelled(requested_by=who, reason="no recorded answer")
    begun = [*EVENTS[:2], event(stopped, run_id=RUN, problem_id="hard")]
    found = first_difference(fold(EVENTS[:2]), fold(begun))
    assert found is not None
    assert (found.event, found.cause.value) == ("end", cause)
    assert found.detail == "no recorded answer"


def test_what_led_to_a_question_without_an_answer_is_told_before_the_stop() -> None:
    found = fold().first(EvidenceRetrieved)
    assert found is not None
    fewer = found.request.model_copy(update={"k": 3})
    kinds = (ProblemSubmitted, StatementChecked, ProblemPlanned, EvidenceRetrieved)
    begun = [e for e in EVENTS if isinstance(e.data, kinds)]
    begun = [
        e.model_copy(update={"data": found.model_copy(update={"request": fewer})})
        if e.data == found
        else e
        for e in begun
    ]
    stopped = ProblemCancelled(requested_by="replay", reason="no recorded answer")
    begun.append(event(stopped, run_id=RUN, problem_id="hard"))
    config = RunConfig(retrieval=RetrievalConfig(k=3))
    parting = first_difference(fold(), fold(begun, config))
    assert parting is not None
    assert (parting.worker, parting.field) == ("retriever", "/request/k")
    assert "retrieval.k" in parting.detail


def test_another_llm_answer_is_called_that() -> None:
    def called(response: str) -> Case:
        call = LlmCalled(
            call=1,
            agent="planner",
            purpose="plan",
            prompt_id="p",
            prompt_hash="h",
            model="m",
            request_hash="r",
            response=response,
            stop_reason="end_turn",
        )
        return fold([*EVENTS, event(call, run_id=RUN, problem_id="hard", cause=EVENTS[1])])

    long = "x" * 300
    found = first_difference(called(f"{long}a{long}"), called(f"{long}b{long}"))
    assert found is not None
    assert (found.cause, found.worker) == (Cause.LLM_ANSWER, "planner")
    assert found.field == "/response"
    assert "a" in found.old
    assert len(found.old) < 110


async def test_runs_are_compared_problem_by_problem() -> None:
    old = BusRun(MemoryBus(sample_run()).reader, RUN)
    fewer = [e for e in sample_run() if e.problem_id != "hard"]
    new = BusRun(MemoryBus(fewer).reader, RUN)
    for first, second in ((old, new), (new, old)):
        found = [p async for p in partings(first, second)]
        assert [(p.problem_id, p.cause) for p in found] == [("hard", Cause.INPUT)]
    assert [p async for p in partings(old, old)] == []


ASKED = LlmCalled(
    call=1,
    agent="generator",
    purpose="sketch",
    prompt_id="generator.sketch/1",
    prompt_hash="h",
    model="m",
    request_hash="r",
    response="said",
    stop_reason="end_turn",
)


def with_calls(*calls: LlmCalled, config: RunConfig | None = None) -> Case:
    made = [event(call, run_id=RUN, problem_id="hard", cause=EVENTS[0]) for call in calls]
    return fold([*EVENTS, *made], config)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"response": "other"}, Cause.LLM_ANSWER),
        ({"outcome": LlmOutcome.REFUSED}, Cause.LLM_ANSWER),
        ({"prompt_hash": "x", "request_hash": "y"}, Cause.PROMPT),
        ({"request_hash": "y"}, Cause.REQUEST),
    ],
)
def test_another_exchange_says_what_of_it_differs(change: dict, cause: Cause) -> None:
    found = first_difference(with_calls(ASKED), with_calls(ASKED.model_copy(update=change)))
    assert found is not None
    assert (found.cause, found.worker) == (cause, "generator")
    assert found.detail.startswith("the generator's sketch")


def test_another_request_under_another_configuration_names_what_was_changed() -> None:
    config = RunConfig.model_validate({"llm": {"model": "m2"}})
    other = ASKED.model_copy(update={"model": "m2", "request_hash": "y"})
    found = first_difference(with_calls(ASKED), with_calls(other, config=config))
    assert found is not None
    assert (found.cause, found.field) == (Cause.CONFIGURATION, "/model")
    assert "llm.model" in found.detail


def test_a_call_that_only_one_run_made_is_another_request() -> None:
    found = first_difference(with_calls(), with_calls(ASKED))
    assert found is not None
    assert (found.cause, found.worker, found.event) == (
        Cause.REQUEST,
        "generator",
        "llm_called 1",
    )
