from typing import Any

import pytest

from ragsolver_contracts.events import make_event
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.replay.report import ReplayReport, replay_report
from ragsolver_runtime.replay.source import BusRun
from suites.memory_bus import MemoryBus
from suites.replayed_world import replay_of
from suites.sample_run import RUN, sample_run


def again(change: Any = lambda event: event.data, **terms: Any) -> MemoryBus:
    """The sample run, and the same as run `r2` that replays it."""
    events = sample_run()
    for event in sample_run():
        payload = change(event)
        if isinstance(payload, RunStarted):
            payload = payload.model_copy(update={"replays": replay_of(**terms)})
        events.append(
            make_event(
                payload,
                run_id="r2",
                problem_id=event.problem_id,
                source=event.source,
                time=event.time,
                recorded_from=f"{RUN}/{event.id}",
            )
        )
    return MemoryBus(events)


async def compared(bus: MemoryBus) -> ReplayReport:
    return await replay_report(BusRun(bus.reader, RUN), BusRun(bus.reader, "r2"))


async def test_the_same_state_is_found_and_nothing_was_done() -> None:
    report = await compared(again())
    assert report.same
    assert report.old_state == report.new_state
    assert report.parted == []
    assert report.spent.live.nothing
    assert report.spent.reused.lean_checks > 0
    assert len(report.problems) == 5


def another_verdict(event: Any) -> Any:
    if event.problem_id != "hard" or not isinstance(event.data, VerdictIssued):
        return event.data
    verdict = event.data.verdict.model_copy(update={"goals": ("⊢ False",)})
    return event.data.model_copy(update={"verdict": verdict})


async def test_what_parted_is_named_with_its_first_difference() -> None:
    report = await compared(again(another_verdict))
    assert not report.same
    (problem,) = report.parted
    assert problem.problem_id == "hard"
    assert problem.parting is not None
    assert problem.parting.event == "verdict_issued 1.0"
    assert report.after_parting == problem.spent.live


async def test_only_what_was_replayed_is_compared() -> None:
    report = await compared(again(another_verdict, only=("add_zero_nat",)))
    assert [p.problem_id for p in report.problems] == ["add_zero_nat"]
    assert report.same


async def test_a_run_that_replays_nothing_is_refused() -> None:
    bus = MemoryBus(sample_run())
    with pytest.raises(BusError, match="replays no other run"):
        await replay_report(BusRun(bus.reader, RUN), BusRun(bus.reader, RUN))
