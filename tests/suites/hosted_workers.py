"""The six simulated workers in this process on a real bus."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.run_report import RunReport
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import start_run
from ragsolver_runtime.solving import until_ended
from ragsolver_runtime.testing import running_worker, submit_problem
from ragsolver_runtime.trace import export_run
from ragsolver_runtime.worker import WorkerSpec
from suites import simulated_workers as sim
from suites.recorded_progress import RecordedProgress
from suites.sample_run import VERSIONS

WORKERS = (sim.PLANNER, sim.RETRIEVER, sim.GENERATOR, sim.FORMALIZER, sim.VERIFIER, sim.CRITIC)


@asynccontextmanager
async def hosted(
    settings: AppSettings, workers: Sequence[WorkerSpec] = WORKERS
) -> AsyncIterator[None]:
    """All workers take deliveries inside the block."""
    async with AsyncExitStack() as stack:
        for worker in workers:
            await stack.enter_async_context(running_worker(worker, settings))
        yield


async def solve(bus, run_id: str, statements: Sequence[str]) -> RunReport:
    """A run of problems p1, p2, … to its end; `bus` has client, publisher and reader."""
    publisher: Publisher = bus.publisher
    await start_run(publisher, run_id, RunConfig(name="sim"), VERSIONS, len(statements))

    async def post() -> set[str]:
        names = set()
        for number, statement in enumerate(statements, start=1):
            name = f"p{number}"
            text = f"theorem {name} : {statement}"
            await submit_problem(publisher, run_id, problem(name, formal_statement=text))
            names.add(name)
        return names

    return await until_ended(bus, post(), RunView(run_id), RecordedProgress())


async def export(reader: EventReader, run_id: str, path) -> None:
    """Write the run's trace."""
    lines = [str(line) async for line in export_run(reader, run_id)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
