"""Recorded answers as a worker meets them: what is recalled is not asked again.

A run that replays another one has a recording on the bus (`ragsolver_runtime.replay`). Before a
worker decides, its `recall` looks up what the trigger asks for; only the rest is decided live.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from ragsolver_contracts.answers import AnswerKind
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.replay import Replay
from ragsolver_runtime.about import Decided, other_problem, payload_of

BY_REPLAY = "replay"
"""`requested_by` of a cancellation because a replay has no recorded answer."""


class RecordedPort(Protocol):
    """The recorded answers that one problem of a replay may use."""

    @property
    def replay(self) -> Replay:
        """What is replayed, and how."""

    async def answer(self, kind: AnswerKind, key: str) -> AnyEvent | None:
        """The recorded answer to a question; none where there is none, or it may not be used."""

    async def case(self) -> Case:
        """The problem as it is stored now."""


@dataclass(frozen=True)
class Said:
    """One payload to publish, and where it was recorded."""

    payload: Payload
    recorded_from: str | None = None
    """`<run id>/<event id>`; none for what was decided now."""
    problem_id: str | None = None
    """The problem that it is said of; none for the one that was delivered."""

    @property
    def slot(self) -> tuple[str | None, str, tuple[str | int, ...]]:
        """What it decides, and of which problem."""
        return self.problem_id, self.payload.NAME, tuple(self.payload.decides())


@dataclass(frozen=True)
class Recalled:
    """What a worker need not decide again."""

    said: tuple[Said, ...] = ()
    complete: bool = False
    """Nothing is left to decide."""


Recall = Callable[[Case, AnyEvent, RecordedPort], Awaitable[Recalled]]
"""Looks up what a trigger asks for; decides nothing."""

RecordedOf = Callable[[str, str], Awaitable[RecordedPort | None]]
"""The recorded answers for a run and problem; none where the run is no replay."""


async def nothing_recorded(_run_id: str, _problem_id: str) -> RecordedPort | None:
    """For a process that knows no recording."""
    return None


def reused(payload: Payload, source: AnyEvent) -> Said:
    """A payload whose content was recorded in `source`."""
    return Said(payload, f"{source.run_id}/{source.id}")


def merged(recalled: Iterable[Said], decided: Decided) -> list[Said]:
    """Recalled payloads, then those decided now that decide something else."""
    said = list(recalled)
    known = {item.slot for item in said}
    fresh = (Said(payload_of(item), problem_id=other_problem(item)) for item in decided)
    return [*said, *(item for item in fresh if item.slot not in known)]
