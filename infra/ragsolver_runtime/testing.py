"""Building blocks for tests on the real server, as plain functions."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_run import ProblemSubmitted, RunStarted
from ragsolver_contracts.ids import RUN_SCOPE, digest
from ragsolver_contracts.problem import Problem
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.connect import BusSettings
from ragsolver_runtime.process import AppSettings
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.server import EmbeddedServer, ServerSettings
from ragsolver_runtime.tasks import end
from ragsolver_runtime.worker import Decide, WorkerContext, WorkerSpec

DecideCase = Callable[[WorkerContext, Case, AnyEvent], Awaitable[Sequence[Payload]]]


@asynccontextmanager
async def isolated_server(data_dir: Path | None = None) -> AsyncIterator[EmbeddedServer]:
    """A real server of its own, with its data in a folder that vanishes unless one is given."""
    if data_dir is not None:
        async with EmbeddedServer(ServerSettings(data_dir=data_dir)) as server:
            yield server
        return
    with tempfile.TemporaryDirectory(prefix="ragsolver-test-") as folder:
        async with EmbeddedServer(ServerSettings(data_dir=Path(folder))) as server:
            yield server


def app_settings(url: str, **changes: Any) -> AppSettings:
    """Settings of a worker process against `url`, with some changed."""
    return AppSettings(bus=BusSettings(url=url), **changes)


def scripted_worker(
    decide: DecideCase,
    *,
    role: str = "echo",
    triggers: tuple[type[Payload], ...] = (ProblemSubmitted,),
    emits: tuple[type[Payload], ...] = (),
    **limits: Any,
) -> WorkerSpec:
    """A worker whose decision is the given function."""

    def _open(context: WorkerContext) -> AbstractAsyncContextManager[Decide]:
        return _decider(decide, context)

    return WorkerSpec(role=role, triggers=triggers, emits=emits, open=_open, **limits)


@asynccontextmanager
async def _decider(decide: DecideCase, context: WorkerContext) -> AsyncIterator[Decide]:
    async def _decide(case: Case, trigger: AnyEvent) -> Sequence[Payload]:
        return await decide(context, case, trigger)

    yield _decide


@asynccontextmanager
async def running_worker(spec: WorkerSpec, settings: AppSettings) -> AsyncIterator[None]:
    """The worker takes deliveries inside the block, and is stopped after it."""
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(
        run_worker(spec, settings, stop=stop, on_ready=ready.set, signals=False)
    )
    opened = asyncio.create_task(ready.wait())
    try:
        await asyncio.wait({running, opened}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            running.result()
        yield
    finally:
        await end(opened)
        stop.set()
        await running


async def start_run(publisher: Publisher, run_id: str, config: RunConfig | None = None) -> None:
    """Publish `run_started` of a run."""
    config = config or RunConfig()
    started = RunStarted(config=config, config_digest=digest(config.model_dump_json()))
    await publisher.publish(said(started, run_id, RUN_SCOPE))


async def submit_problem(publisher: Publisher, run_id: str, problem: Problem) -> AnyEvent:
    """Publish `problem_submitted`, as the intake would."""
    event = said(ProblemSubmitted(problem=problem), run_id, problem.problem_id)
    await publisher.publish(event)
    return event


def said(
    payload: Payload, run_id: str, problem_id: str, cause: AnyEvent | None = None
) -> AnyEvent:
    """The event that says `payload` now."""
    return make_event(
        payload,
        run_id=run_id,
        problem_id=problem_id,
        source="test/one",
        time=datetime.now(UTC),
        cause=cause,
    )


async def until(
    condition: Callable[[], bool | Awaitable[bool]],
    *,
    timeout_s: float = 20.0,
    every_s: float = 0.02,
) -> None:
    """Wait until `condition`, plain or async, holds.

    Raises:
        TimeoutError: it did not hold in time.
    """
    async with asyncio.timeout(timeout_s):
        while True:
            holds = condition()
            if holds if isinstance(holds, bool) else await holds:
                return
            await asyncio.sleep(every_s)
