from ragsolver_contracts import subjects
from ragsolver_contracts.answers import AnswerKind, answers_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.replay import ReplayStage, StageReason
from ragsolver_runtime.replay.recording import RecordedAnswers, record, recording_id
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
