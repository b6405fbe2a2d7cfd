import pytest

from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.doctor import Finding
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.run_report import report_of_events
from ragsolver_runtime.runs import chosen_run, finish_run, list_runs, start_run, versions
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run


async def test_runs_are_listed_with_their_state() -> None:
    bus = MemoryBus(sample_run())
    await start_run(bus.publisher, "r2", RunConfig(name="no_rag"), {"lean": "4"}, 3)
    found = [(r.run_id, r.config, r.problem_count, r.finished) for r in await list_runs(bus)]
    assert found == [(RUN, "full", 5, True), ("r2", "no_rag", 3, False)]


async def test_the_run_that_is_meant() -> None:
    bus = MemoryBus(sample_run())
    await start_run(bus.publisher, "r2", RunConfig(), {}, 3)
    assert await chosen_run(bus, None) == "r2"
    assert await chosen_run(bus, RUN) == RUN
    with pytest.raises(BusError, match="the latest ones are r1, r2"):
        await chosen_run(bus, "r3")
    with pytest.raises(BusError, match="no run on this bus"):
        await chosen_run(MemoryBus(), None)


async def test_a_run_starts_and_finishes_once() -> None:
    bus = MemoryBus()
    for config in (RunConfig(name="first"), RunConfig(name="second")):
        await start_run(bus.publisher, RUN, config, {}, 1)
    started = await bus.run_started(RUN)
    assert started is not None
    assert started.config.name == "first"
    report = report_of_events(RUN, sample_run())
    await finish_run(bus.publisher, report)
    await finish_run(bus.publisher, report)
    (finished,) = [e.data for e in bus.events.values() if e.name == "run_finished"]
    assert finished.outcomes == report.outcomes
    assert finished.refused_inputs == 1


def test_versions_come_from_the_findings() -> None:
    found = versions([Finding("lean", "ok", "there", version="4.28"), Finding("x", "ok", "y")])
    assert found["lean"] == "4.28"
    assert "x" not in found
    assert {"ragsolver", "python", "nats-server"} <= found.keys()
