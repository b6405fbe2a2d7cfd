"""Which engine a worker runs, and the refusal of one that is not there."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.config import settings_as
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.worker import Decide, WorkerContext

Role = Literal["planner", "generator", "formalizer", "critic"]
PureDecide = Callable[[Case, AnyEvent], Sequence[Payload]]


@dataclass(frozen=True)
class NoSettings:
    """The deciding workers have no process settings: the run's configuration says everything."""


class EngineMissingError(PermanentError):
    """The run asks for an engine that this installation does not have."""


def require_portfolio(case: Case, role: Role) -> None:
    """Refuse every engine but the portfolio.

    Raises:
        EngineMissingError: the run's configuration asks for another one.
    """
    engine = getattr(case.config.engines, role)
    if engine != "portfolio":
        raise EngineMissingError(
            f"engines.{role} = {engine!r}: this installation has only the engine 'portfolio'; "
            f'set engines.{role} = "portfolio" in the run configuration {case.config.name!r}'
        )


def opener(decide: PureDecide) -> Callable[[WorkerContext], AbstractAsyncContextManager[Decide]]:
    """`WorkerSpec.open` of a worker that needs nothing but its pure function and no settings.

    The function runs beside the event loop, for a search may take a second.
    """

    @asynccontextmanager
    async def open_worker(context: WorkerContext) -> AsyncIterator[Decide]:
        settings_as(NoSettings, context.settings, f"workers.toml [{context.role}]")

        async def run(case: Case, trigger: AnyEvent) -> Sequence[Payload]:
            return await asyncio.to_thread(decide, case, trigger)

        yield run

    return open_worker
