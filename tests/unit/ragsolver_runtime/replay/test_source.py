from pathlib import Path

from ragsolver_contracts.state import state_hash
from ragsolver_runtime.replay.source import BusRun, FileRun, RunSource, run_state
from ragsolver_runtime.trace_file import open_trace
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run
from suites.trace_files import write_trace


async def seen(run: RunSource) -> dict[str, str]:
    return {name: state_hash(await run.case(name)) async for name in run.problem_ids()}


async def test_file_and_bus_give_the_same_run(tmp_path: Path) -> None:
    bus = BusRun(MemoryBus(sample_run()).reader, RUN)
    with open_trace(write_trace(tmp_path / "t.jsonl")) as trace:
        file = FileRun(trace, RUN)
        assert (file.run_id, bus.run_id) == (RUN, RUN)
        assert await file.started() == await bus.started()
        found = await seen(file)
        assert found == await seen(bus)
        assert len(found) == 5
        assert await run_state(file) == await run_state(bus)
        some = frozenset({"hard"})
        assert await run_state(file, some) == await run_state(bus, some) != await run_state(file)
