import pytest

from golden.update_traces import CONFIG, SMALL, SQUARE
from ragsolver_contracts.answers import AnswerKind
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    CandidateProposed,
    EvidenceRetrieved,
    ProblemPlanned,
    VerdictIssued,
)
from ragsolver_contracts.retrieval import RetrievalContext
from ragsolver_contracts.run_config import RetrievalConfig
from ragsolver_contracts.testing import problem
from ragsolver_runtime.recorded import Recalled
from ragsolver_runtime.replay.recall import Asked, recall_checks, recall_evidence
from suites.deciding_world import World, accepted, checked, rejected
from suites.replayed_world import Recording


def played(judge, statement=SQUARE) -> World:
    asked = problem("asked", formal_statement="theorem asked : x")
    found = [("Int.emod_two_eq", "a = a")]
    world = World(asked, checked(statement), judge, lambda _: found, CONFIG)
    world.play()
    return world


def at(world: World, kind: type, place: int = 0) -> AnyEvent:
    return [e for e in world.events if isinstance(e.data, kind)][place]


def before(world: World, *kinds: type) -> Case:
    """The problem without the events of some kinds."""
    kept = [e for e in world.events if not isinstance(e.data, kinds)]
    return Case.fold("r1", "asked", kept, CONFIG)


def closing(world: World) -> AnyEvent:
    return next(e for e in world.events if getattr(e.data, "closes_batch", False))


async def test_the_statement_is_recalled() -> None:
    world = played(lambda _: rejected("no"))
    recording = Recording.of([world.case()])
    case = before(world, StatementChecked)
    known = await recall_checks(case, at(world, ProblemSubmitted), recording)
    (said,) = known.said
    assert known.complete
    assert said.payload == world.statement
    assert said.recorded_from == f"r1/{at(world, StatementChecked).id}"
    nothing = await recall_checks(case, at(world, ProblemSubmitted), Recording({}))
    assert nothing == Recalled()


async def test_a_batch_is_recalled_with_its_original_timings() -> None:
    world = played(lambda _: rejected("no"))
    recording = Recording.of([world.case()])
    known = await recall_checks(before(world, VerdictIssued), closing(world), recording)
    assert known.complete
    verdicts = [item.payload for item in known.said]
    assert all(isinstance(v, VerdictIssued) for v in verdicts)
    assert [v.closes_batch for v in verdicts] == [False] * (len(verdicts) - 1) + [True]
    first = at(world, VerdictIssued).data
    assert verdicts[0].verdict == first.verdict
    assert verdicts[0].verdict.elapsed_ms > 0


async def test_a_candidate_that_is_not_recorded_is_left_to_the_verifier() -> None:
    world = played(lambda _: rejected("no"))
    recording = Recording.of([world.case()])
    case = before(world, VerdictIssued)
    gone = [k for k in recording.answers if k[0] is AnswerKind.VERDICT][1]
    del recording.answers[gone]
    known = await recall_checks(case, closing(world), recording)
    assert not known.complete
    assert all(not item.payload.closes_batch for item in known.said)
    assert len(known.said) == len(case.batch(1, 0)) - 1


async def test_nothing_after_the_accepted_one_is_recalled() -> None:
    world = played(lambda item: accepted() if item.candidate == 1 else rejected("no"))
    recording = Recording.of([world.case()])
    known = await recall_checks(before(world, VerdictIssued), closing(world), recording)
    assert known.complete
    assert [item.payload.candidate for item in known.said] == [0, 1]
    assert known.said[-1].payload.closes_batch


async def test_what_follows_an_accepted_one_needs_no_answer() -> None:
    world = played(lambda item: accepted() if item.candidate == 1 else rejected("no"))
    recording = Recording.of([world.case()])
    recording.answers = {
        key: event
        for key, event in recording.answers.items()
        if not isinstance(event.data, CandidateProposed)
    }
    known = await recall_checks(before(world, VerdictIssued), closing(world), recording)
    assert known.complete
    assert [item.payload.candidate for item in known.said] == [0, 1]


async def test_failures_are_said_again_on_the_new_trigger() -> None:
    world = played(lambda _: None)
    recording = Recording.of([world.case()])
    trigger = closing(world)
    known = await recall_checks(before(world, WorkFailed), trigger, recording)
    assert known.complete
    failures = [item.payload for item in known.said]
    assert all(isinstance(f, WorkFailed) and f.trigger_id == trigger.id for f in failures)
    assert [f.candidate for f in failures] == list(range(len(failures)))


def overtaken() -> tuple[World, Recording, Case, AnyEvent]:
    """The second batch was accepted while the first one was still being checked."""
    world = played(lambda item: accepted() if item.candidate == 4 else rejected("no"))
    first = {(1, n) for n in range(3)}
    world.events = [
        e
        for e in world.events
        if not (isinstance(e.data, VerdictIssued) and (1, e.data.candidate) in first)
    ]
    recording = Recording.of([world.case()])
    return world, recording, before(world, VerdictIssued), closing(world)


async def test_what_the_decision_overtook_is_not_checked_where_it_decides_again() -> None:
    _, recording, case, trigger = overtaken()
    assert await recall_checks(case, trigger, recording) == Recalled((), complete=True)


async def test_the_rest_of_the_attempt_is_waited_for() -> None:
    _, recording, case, trigger = overtaken()
    early = [
        e
        for e in case.events.values()
        if not (isinstance(e.data, CandidateProposed) and e.data.candidate > 2)
    ]
    begun = Case.fold("r1", "asked", early, CONFIG)
    recording.now = [begun, case]
    assert await recall_checks(begun, trigger, recording) == Recalled((), complete=True)
    assert recording.now == [case]


async def test_what_was_overtaken_is_checked_where_the_decider_is_missing() -> None:
    _, recording, case, trigger = overtaken()
    kept = [
        e
        for e in case.events.values()
        if not (isinstance(e.data, CandidateProposed) and e.data.candidate == 4)
    ]
    without = Case.fold("r1", "asked", kept, CONFIG)
    assert await recall_checks(without, trigger, recording) == Recalled()


async def test_other_triggers_recall_nothing() -> None:
    world = played(lambda _: rejected("no"))
    recording = Recording.of([world.case()])
    for trigger in (at(world, ProblemPlanned), at(world, CandidateProposed)):
        assert await recall_checks(world.case(), trigger, recording) == Recalled()


async def test_evidence_is_recalled_for_whom_it_is_now() -> None:
    world = played(lambda _: rejected("no"), SMALL)
    recording = Recording.of([world.case()])
    evidence = at(world, EvidenceRetrieved).data
    context = RetrievalContext(problem_id="asked", subgoal_id="s1", run_id="r2")
    request = evidence.request.model_copy(update={"context": context})
    case = before(world, EvidenceRetrieved)
    known = await recall_evidence(case, [Asked(1, "s1", 0, request)], recording)
    (said,) = known.said
    assert known.complete
    assert said.payload.request == request
    ids = [hit.chunk_id for hit in said.payload.result.hits]
    assert ids == [hit.chunk_id for hit in evidence.result.hits]
    assert {c.retrieved_for.run_id for c in said.payload.result.citations} == {"r2"}
    assert {h.citation.retrieved_for.run_id for h in said.payload.result.hits} == {"r2"}


@pytest.mark.parametrize("why", ["another question", "switched off"])
async def test_evidence_for_another_question_is_not_recalled(why: str) -> None:
    world = played(lambda _: rejected("no"), SMALL)
    recording = Recording.of([world.case()])
    request = at(world, EvidenceRetrieved).data.request
    config = CONFIG
    if why == "switched off":
        config = CONFIG.model_copy(update={"retrieval": RetrievalConfig(enabled=False)})
    else:
        request = request.model_copy(update={"k": 99})
    asked = before(world, EvidenceRetrieved)
    case = Case.fold("r1", "asked", asked.events.values(), config)
    assert await recall_evidence(case, [Asked(1, "s1", 0, request)], recording) == Recalled()


async def test_stored_evidence_is_not_said_twice() -> None:
    world = played(lambda _: rejected("no"), SMALL)
    request = at(world, EvidenceRetrieved).data.request
    known = await recall_evidence(
        world.case(), [Asked(1, "s1", 0, request)], Recording.of([world.case()])
    )
    assert known == Recalled((), complete=True)
