import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemCancelled, RunStarted
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.replay import ReplayStage
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.replay.replaying import (
    ReplayOrder,
    ReplayWishes,
    plan_replay,
    replay_to_end,
    resumed_order,
)
from ragsolver_runtime.run_notes import LATEST
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.testing import said
from ragsolver_runtime.trace_file import TraceFile, open_trace
from suites.memory_bus import MemoryBus
from suites.recorded_progress import RecordedProgress
from suites.sample_run import RUN, VERSIONS, sample_run, solution
from suites.trace_files import write_trace


@pytest.fixture
def trace(tmp_path: Path) -> Iterator[TraceFile]:
    with open_trace(write_trace(tmp_path / "t.jsonl")) as opened:
        yield opened


def planned(trace: TraceFile, config: RunConfig | None = None, **wishes: Any) -> ReplayOrder:
    terms = ReplayWishes(**wishes)
    made = plan_replay(trace, trace.only_run(), config, terms, VERSIONS)
    return ReplayOrder("r2", *made, VERSIONS)


def test_the_same_configuration_touches_no_stage(trace: TraceFile) -> None:
    order = planned(trace)
    assert order.config == RunConfig()
    replay = order.replay
    assert (replay.run_id, replay.trace_digest, replay.llm) == (RUN, trace.digest, "recorded")
    assert (replay.live_from, replay.reasons) == (None, ())
    assert sum(replay.outcomes.values()) == 5


def test_from_can_only_be_earlier_than_what_the_configuration_touches(trace: TraceFile) -> None:
    config = RunConfig.model_validate({"retrieval": {"k": 3}})
    late = planned(trace, config, from_stage=ReplayStage.VERDICT).replay
    assert late.live_from is ReplayStage.RETRIEVAL
    assert not late.reuses(ReplayStage.VERDICT)
    early = planned(trace, config, from_stage=ReplayStage.STATEMENT).replay
    assert early.live_from is ReplayStage.STATEMENT
    assert {r.what for r in early.reasons} == {"retrieval.k", "--from"}


def test_another_lean_touches_the_statement(trace: TraceFile) -> None:
    made = plan_replay(trace, trace.only_run(), None, ReplayWishes(), {**VERSIONS, "lean": "5"})
    assert made[1].live_from is ReplayStage.STATEMENT


def test_unknown_problems_and_traces_without_a_start_are_refused(
    trace: TraceFile, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="no problem 'soft'"):
        planned(trace, only=("soft",))
    events = [e for e in sample_run() if not isinstance(e.data, RunStarted)]
    with (
        open_trace(write_trace(tmp_path / "no.jsonl", events)) as other,
        pytest.raises(ConfigError, match="no run_started"),
    ):
        planned(other)


def ends(event: AnyEvent) -> Iterator[AnyEvent]:
    """Every submitted problem ends as in the sample run."""
    if event.name == "problem_submitted" and event.problem_id == "add_zero_nat":
        report = solution(event.problem_id, Outcome.SOLVED, "done", 1)
        yield said(ProblemSolved(report=report), event.run_id, event.problem_id, event)
    elif event.name == "problem_submitted":
        report = solution(event.problem_id, Outcome.NOT_PROVED, "no", 1)
        failed = ProblemFailed(outcome=Outcome.NOT_PROVED, message="no", report=report)
        yield said(failed, event.run_id, event.problem_id, event)


async def played(trace: TraceFile, order: ReplayOrder, bus: MemoryBus) -> Any:
    bus.answer = ends
    work = replay_to_end(bus, trace, order, RunView(order.run_id), RecordedProgress())  # type: ignore[arg-type]
    async with asyncio.timeout(5):
        return await work


async def test_a_replay_posts_what_people_said_and_records_what_was_answered(
    trace: TraceFile,
) -> None:
    bus = MemoryBus()
    report = await played(trace, planned(trace), bus)
    assert report.parent_run == RUN
    assert report.finished_at is not None
    assert bus.recorded
    first = {e.problem_id: e for e in reversed(bus.events.values()) if e.run_id == "r2"}
    assert first["dropped"].name == "problem_cancelled"
    assert first["hard"].name == "problem_submitted"
    refused = next(name for name in first if name.startswith("_in-"))
    assert first[refused].name == "problem_refused"
    old = {e.id for e in sample_run()}
    copied = [e for e in bus.events.values() if e.recordedfrom is not None]
    assert all(e.recordedfrom.split("/")[1] in old for e in copied)  # type: ignore[union-attr]
    assert len(copied) == 6
    started = await bus.run_started("r2")
    assert started is not None
    assert started.replays == planned(trace).replay
    again = await played(trace, planned(trace), bus)
    assert again == report


async def test_only_some_problems_are_replayed(trace: TraceFile) -> None:
    bus = MemoryBus()
    report = await played(trace, planned(trace, only=("hard",)), bus)
    assert report.outcomes == {"not_proved": 1}
    assert report.problem_count == 1


async def test_a_cancellation_that_a_replay_made_is_not_repeated(tmp_path: Path) -> None:
    events = sample_run()
    stopped = next(e for e in events if isinstance(e.data, ProblemCancelled))
    by_replay = ProblemCancelled(requested_by="replay", reason="no recorded answer")
    events[events.index(stopped)] = stopped.model_copy(update={"data": by_replay})
    with open_trace(write_trace(tmp_path / "t.jsonl", events)) as trace:
        bus = MemoryBus()
        report = await played(trace, planned(trace, only=("dropped",)), bus)
        assert report.outcomes == {"not_proved": 1}


async def test_a_begun_replay_is_found_again(trace: TraceFile) -> None:
    bus, order = MemoryBus(), planned(trace)
    await played(trace, order, bus)
    assert await resumed_order(bus.reader, trace, RUN, "r2") == order
    with pytest.raises(ConfigError, match="no unfinished replay"):
        await resumed_order(bus.reader, trace, RUN, LATEST)
    bus.events = {k: e for k, e in bus.events.items() if e.name != "run_finished"}
    assert (await resumed_order(bus.reader, trace, RUN, LATEST)).run_id == "r2"


async def test_what_is_no_replay_of_this_trace_is_not_continued(trace: TraceFile) -> None:
    bus = MemoryBus(sample_run())
    with pytest.raises(ConfigError, match="no replay on this bus"):
        await resumed_order(bus.reader, trace, RUN, RUN)
    await played(trace, planned(trace), bus)
    other: Any = SimpleNamespace(path="other.jsonl", digest="x")
    with pytest.raises(ConfigError, match="another trace"):
        await resumed_order(bus.reader, other, RUN, "r2")
