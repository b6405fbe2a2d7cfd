"""Which engine a worker runs, and the refusal of one that is not there."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.worker import Decide, WorkerContext

Role = Literal["planner", "generator", "formalizer", "critic"]
PureDecide = Callable[[Case, AnyEvent], Sequence[Payload]]


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
    """`WorkerSpec.open` of a worker that needs nothing but its pure function."""

    @asynccontextmanager
    async def open_worker(_context: WorkerContext) -> AsyncIterator[Decide]:
        async def run(case: Case, trigger: AnyEvent) -> Sequence[Payload]:
            return decide(case, trigger)

        yield run

    return open_worker
