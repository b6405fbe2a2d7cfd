"""Behaviour contract `fold`: contracts/behaviour/fold.yaml."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events import parse_event
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    RunStarted,
    WorkFailed,
)
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    ProblemFailed,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.report import Outcome, SolutionReport
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import EPOCH, event, problem
from ragsolver_contracts.verdict import Verdict
from suites.sample_run import TOOLCHAIN

CONFIG = RunConfig(budget=Budget(llm_calls=3))
ENDS = ("solved", "failed", "refused", "cancelled")
JUDGED = st.lists(st.sampled_from(["verdict", "failure", "open"]), min_size=1, max_size=5)


def attempt(number, judged, accepted):
    """Events of one attempt: candidates in order, the judged ones with their end."""
    yield ProofSketched(attempt=number, plan=1, text="t", stage="first")
    for candidate, end in enumerate(judged):
        last = candidate == len(judged) - 1
        yield CandidateProposed(
            attempt=number,
            candidate=candidate,
            batch=candidate // 2,
            closes_batch=last or candidate % 2 == 1,
            closes_attempt=last,
            text={"proof": f"by tactic{candidate}"},
            strategy="simp",
        )
        if end == "verdict":
            good = accepted and last
            yield VerdictIssued(
                attempt=number,
                candidate=candidate,
                verdict=Verdict(
                    status="accepted" if good else "rejected",
                    reason=None if good else "elaboration_error",
                    statement_digest="d",
                    toolchain=TOOLCHAIN,
                ),
            )
        elif end == "failure":
            yield WorkFailed(
                failed_role="verifier",
                trigger_id="x",
                trigger_type="t",
                stage="check",
                error="E",
                message="m",
                attempt=number,
                candidate=candidate,
            )
    yield AttemptCritiqued(
        attempt=number, error_class=next(iter(ErrorClass)), route=next(iter(Route))
    )


def ending(kind):
    """The terminal payload of one kind."""
    if kind == "refused":
        return ProblemRefused(reason="needs_llm", message="m", input_digest="d")
    if kind == "cancelled":
        return ProblemCancelled(requested_by="x")
    outcome = Outcome.SOLVED if kind == "solved" else Outcome.NOT_PROVED
    report = SolutionReport(
        problem_id="add_zero_nat",
        outcome=outcome,
        message="m",
        submitted_at=EPOCH,
        ended_at=EPOCH,
    )
    if kind == "solved":
        return ProblemSolved(report=report)
    return ProblemFailed(outcome=outcome, message="m", report=report)


@st.composite
def histories(draw):
    """A history of one problem as the workers would write it."""
    payloads = [ProblemSubmitted(problem=problem())]
    for number in range(1, draw(st.integers(0, 3)) + 1):
        payloads += attempt(number, draw(JUDGED), draw(st.booleans()))
    calls = draw(st.integers(0, 3))
    payloads += [LlmReserved(call=n, agent="a", purpose="p") for n in range(1, calls + 1)]
    payloads += [ending(kind) for kind in draw(st.sets(st.sampled_from(ENDS)))]
    events = [event(payload, seconds=place) for place, payload in enumerate(payloads)]
    started = RunStarted(config=CONFIG, config_digest="d")
    return [event(started, problem_id=RUN_SCOPE), *events]


def fold(events):
    return Case.fold("r1", "add_zero_nat", events)


def facts(case):
    """Everything that a case derives, to compare two of them."""
    return (
        case,
        list(case.events),
        case.outcome,
        case.accepted,
        case.llm_calls,
        case.attempt_number,
        [case.attempt_complete(n) for n in range(5)],
        case.verdicts,
        case.candidate_failures,
        case.critiques,
    )


@settings(deadline=None)
@given(histories(), st.data())
def test_any_prefix_folds_to_its_own_events(history, data):
    prefix = history[: data.draw(st.integers(0, len(history)))]
    case = fold(prefix)
    assert set(case.events) == {e.id for e in prefix if e.problem_id != RUN_SCOPE}
    assert case.config == (CONFIG if prefix else RunConfig())
    assert facts(case) == facts(fold(prefix))


@settings(deadline=None)
@given(histories(), st.randoms())
def test_order_changes_nothing(history, random):
    shuffled = list(history)
    random.shuffle(shuffled)
    assert facts(fold(shuffled)) == facts(fold(history))


@settings(deadline=None)
@given(histories(), st.data())
def test_duplicates_change_nothing(history, data):
    again = data.draw(st.lists(st.sampled_from(history), max_size=10))
    mixed = data.draw(st.permutations([*history, *again]))
    assert facts(fold(mixed)) == facts(fold(history))


@settings(deadline=None)
@given(histories(), st.data())
def test_facts_only_grow(history, data):
    mixed = data.draw(st.permutations(history))
    cut = data.draw(st.integers(0, len(mixed)))
    before, after = fold(mixed[:cut]), fold(mixed)
    assert set(before.events) <= set(after.events)
    assert before.verdicts.items() <= after.verdicts.items()
    assert all(after.judged(key) for key in before.candidates if before.judged(key))
    assert all(after.attempt_complete(n) for n in range(5) if before.attempt_complete(n))
    assert before.llm_calls <= after.llm_calls
    if before.outcome is not None:
        assert after.outcome is not None
    if before.outcome is Outcome.SOLVED:
        assert after.outcome is Outcome.SOLVED


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["verdict", "failure", "open"]), min_size=1, max_size=5), st.data()
)
def test_an_attempt_is_complete_exactly_when_all_is_judged(judged, data):
    payloads = list(attempt(1, judged, accepted=False))
    kept = data.draw(st.lists(st.sampled_from(payloads), unique_by=id))
    case = fold([event(payload) for payload in kept])
    candidates = {p.candidate for p in kept if isinstance(p, CandidateProposed)}
    ends = {p.candidate for p in kept if isinstance(p, VerdictIssued | WorkFailed)}
    everyone = set(range(len(judged)))
    assert case.attempt_complete(1) == (candidates == everyone and everyone <= ends)


@given(st.lists(st.sampled_from(ENDS), unique=True))
def test_a_proof_outranks_every_other_end(kinds):
    outcome = fold([event(ending(kind)) for kind in kinds]).outcome
    assert (outcome is None) == (not kinds)
    assert (outcome is Outcome.SOLVED) == ("solved" in kinds)


@given(st.sampled_from([("r2", "add_zero_nat"), ("r1", "another"), ("r2", "another")]))
def test_foreign_events_are_refused(where):
    run_id, problem_id = where
    foreign = event(ProblemCancelled(requested_by="x"), run_id=run_id, problem_id=problem_id)
    with pytest.raises(ValueError, match="folded into"):
        fold([foreign])


@settings(deadline=None, max_examples=30)
@given(histories())
def test_writing_and_reading_changes_nothing(history):
    read = [parse_event(item.to_json()) for item in history]
    assert facts(fold(read)) == facts(fold(history))
