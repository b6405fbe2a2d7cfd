from typing import Any

from nats.js.errors import NotFoundError

from ragsolver_contracts import subjects
from ragsolver_contracts.answers import AnswerKind, answers_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, make_event, subject_of
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.replay import ReplayStage, StageReason
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.replay.recording import (
    RecordedAnswers,
    RecordedSource,
    record,
    recording_id,
)
from suites.fake_bus import FakeClient
from suites.memory_bus import MemoryBus
from suites.replayed_world import replay_of
from suites.sample_run import RUN, sample_run


def solved() -> Case:
    events = [e for e in sample_run() if e.problem_id == "add_zero_nat"]
    return Case.fold(RUN, "add_zero_nat", events)


async def test_every_answer_is_recorded_under_its_question() -> None:
    bus, answers = MemoryBus(), list(answers_of(solved()))
    assert await record(bus.publisher, "rec", [solved()]) == len(answers)
    for kind, key, event in answers:
        subject = subjects.recorded_answer("rec", "add_zero_nat", kind.value, key)
        assert bus.recorded[subject] == event


def test_a_recording_belongs_to_one_run_of_one_trace() -> None:
    assert recording_id("r1", "d") == recording_id("r1", "d")
    assert len({recording_id("r1", "d"), recording_id("r2", "d"), recording_id("r1", "e")}) == 3


async def test_nothing_is_recorded_only_where_the_leader_says_so() -> None:
    client, event = FakeClient(), next(iter(solved().events.values()))
    started = RunStarted(config=RunConfig(), config_digest="d", replays=replay_of())
    run = make_event(started, run_id=RUN, problem_id=RUN_SCOPE, source="cli/x", time=event.time)
    await client.js.publish(subject_of(run), run.to_json())
    kind, key, found = next(iter(answers_of(solved())))
    where = subjects.recorded_answer(replay_of().recording, "add_zero_nat", kind.value, key)
    await client.js.publish(where, found.to_json())
    looked = client.js.get_msg
    client.js.get_msg = _behind(looked, times=2)
    source = RecordedSource(client.js, EventReader(client))  # type: ignore[arg-type]
    port = await source.of(RUN, "add_zero_nat")
    assert port is not None
    assert await port.answer(kind, key) == found
    assert await port.answer(kind, "ff") is None


def _behind(looked: Any, times: int) -> Any:
    """Nothing is found at first, as on a replica that is behind."""
    left = [None] * times

    async def _get_msg(*given: Any, **named: Any) -> Any:
        if left:
            left.pop()
            raise NotFoundError(code=404)
        return await looked(*given, **named)

    return _get_msg


async def test_a_touched_stage_is_not_even_looked_up() -> None:
    asked: list[str] = []

    async def fetch(subject: str) -> AnyEvent | None:
        asked.append(subject)
        return None

    async def reload() -> Case:
        return solved()

    reason = StageReason(what="retrieval.k", stage=ReplayStage.RETRIEVAL)
    port = RecordedAnswers(replay_of(reasons=(reason,)), "p", fetch, reload)
    assert await port.answer(AnswerKind.RETRIEVAL, "00") is None
    assert asked == []
    await port.answer(AnswerKind.VERDICT, "00")
    await port.answer(AnswerKind.LLM, "00")
    assert [subject.split(".")[-2] for subject in asked] == ["verdict", "llm"]
    assert (await port.case()).problem_id == "add_zero_nat"
