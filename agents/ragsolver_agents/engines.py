"""How a deciding worker opens: with a pure function, or with one that may ask a model."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.about import Decided
from ragsolver_runtime.config import settings_as
from ragsolver_runtime.llm.port import LlmPort
from ragsolver_runtime.worker import Decide, WorkerContext

PureDecide = Callable[[Case, AnyEvent], Decided]
AskingDecide = Callable[[Case, AnyEvent, LlmPort], Awaitable[Decided]]
"""A decision that may ask a model; what it computes for long it computes in a thread."""

MAX_WORK_S = 3600.0
"""Seconds of one decision: every try of a call at its longest, and the waits for a turn."""


@dataclass(frozen=True)
class NoSettings:
    """The deciding workers have no process settings: the run's configuration says everything."""


def opener(decide: PureDecide) -> Callable[[WorkerContext], AbstractAsyncContextManager[Decide]]:
    """`WorkerSpec.open` of a worker that needs nothing but its pure function and no settings.

    The function runs beside the event loop, for a search may take a second.
    """

    async def run(case: Case, trigger: AnyEvent, _: LlmPort) -> Decided:
        return await asyncio.to_thread(decide, case, trigger)

    return asking_opener(run)


def asking_opener(
    decide: AskingDecide,
) -> Callable[[WorkerContext], AbstractAsyncContextManager[Decide]]:
    """`WorkerSpec.open` of a worker that may ask a model; it has no settings."""

    @asynccontextmanager
    async def open_worker(context: WorkerContext) -> AsyncIterator[Decide]:
        settings_as(NoSettings, context.settings, f"workers.toml [{context.role}]")

        async def run(case: Case, trigger: AnyEvent) -> Decided:
            return await decide(case, trigger, context.llm)

        yield run

    return open_worker
