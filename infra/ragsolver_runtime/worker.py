"""What a worker is to the runtime: a role, its triggers, and one deciding function.

A worker package exports `WORKER = WorkerSpec(...)`. Everything that travels (delivery, fold,
heartbeats, publishing, acknowledgements, dead letters) is the runtime's; everything that is
decided is the worker's.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.about import Decided
from ragsolver_runtime.llm.port import LlmPort, NoModel
from ragsolver_runtime.recorded import Recall, RecordedOf, nothing_recorded
from ragsolver_runtime.requests import Service

Decide = Callable[[Case, AnyEvent], Awaitable[Decided]]
"""State and trigger in, payloads out, in the order in which they are to be published.

It must not block the event loop for longer than a second (heartbeats run on it) and must stand
being cancelled at any await.
"""


def no_requests(_: Service) -> AbstractAsyncContextManager[object]:
    """Nobody can ask: there is no bus."""
    return nullcontext()


@dataclass(frozen=True)
class WorkerContext:
    """What the runtime hands to a worker when it opens."""

    role: str
    instance: str
    """This process among the role's replicas: host, process id and a random part."""
    settings: Mapping[str, Any]
    """The role's table of the worker settings, with environment and flags applied."""
    cancelled: Callable[[str, str], Awaitable[None]]
    """`await cancelled(run_id, problem_id)` returns when the problem needs no more work."""
    serve: Callable[[Service], AbstractAsyncContextManager[object]] = no_requests
    """`async with serve(service)` answers requests of others beside the worker's deliveries."""
    recorded: RecordedOf = nothing_recorded
    """`await recorded(run_id, problem_id)`: recorded answers, where the run replays another."""

    llm: LlmPort = field(default_factory=NoModel)
    """Asks a language model, within the budget of the problem."""

    @property
    def source(self) -> str:
        """CloudEvents `source` of what this process emits."""
        return f"{self.role}/{self.instance}"


def everything(_: AnyEvent) -> bool:
    """Every trigger is wanted."""
    return True


def nothing(_: AnyEvent) -> bool:
    """No trigger opens a problem."""
    return False


@dataclass(frozen=True)
class WorkerSpec:
    """One worker role; times in seconds."""

    role: str
    triggers: tuple[type[Payload], ...]
    emits: tuple[type[Payload], ...]
    open: Callable[[WorkerContext], AbstractAsyncContextManager[Decide]]
    """Opens the worker's resources, which live as long as the process, and gives `decide`."""
    wants: Callable[[AnyEvent], bool] = everything
    """A trigger that it does not want is acknowledged before anything else is read."""
    opens: Callable[[AnyEvent], bool] = nothing
    """A trigger that brings a new problem into work; such ones wait while others have a backlog
    (see `valve`). All of them are of one type, the first of `triggers`."""
    recall: Recall | None = None
    """In a replay, looks up what the trigger asks for; `decide` gets what is left."""
    serves: tuple[str, ...] = ()
    """Subjects of the requests that it answers beside its deliveries."""
    concurrency: int = 1
    """Deliveries in work at once in one process."""
    ack_wait_s: float = 10.0
    """Silence after which the server delivers again; a heartbeat goes out every third of it."""
    max_work_s: float = 900.0
    """A `decide` that takes longer is stopped and counts as failed."""
    max_deliver: int = 5
    """Deliveries after which an error becomes `work_failed`."""

    def __post_init__(self) -> None:
        if not self.triggers:
            raise ValueError(f"worker {self.role!r} has no trigger")
        if self.concurrency < 1 or self.max_deliver < 1:
            raise ValueError(f"worker {self.role!r}: concurrency and max_deliver start at 1")
        if self.ack_wait_s <= 0 or self.max_work_s <= 0:
            raise ValueError(f"worker {self.role!r}: ack_wait_s and max_work_s are positive")

    @property
    def opens_problems(self) -> bool:
        """Whether some of its triggers bring new problems into work."""
        return self.opens is not nothing
