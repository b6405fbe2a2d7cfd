"""What the paths of the bus tell about their work, to whoever watches.

Two ports: `Numbers` counts and `Spans` follows one problem through the workers. As they stand here
they tell nobody, so a process without metrics and traces pays next to nothing.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from ragsolver_contracts.events import AnyEvent

_log = logging.getLogger(__name__)

INPUT_TRIGGER = "input"
"""Stands for an event name where the intake takes an input."""


class Handled(StrEnum):
    """How one delivery was settled."""

    ACKNOWLEDGED = "acknowledged"
    """Worked off, and everything that was decided is stored."""
    UNWANTED = "unwanted"
    """The role has no work with this trigger."""
    ENDED = "ended"
    """Dropped: its problem has ended."""
    REPEATED = "repeated"
    """Its work was stored before."""
    REDELIVERED = "redelivered"
    """It failed, and comes again after a delay."""
    HANDED_BACK = "handed_back"
    """The process stops; another one gets it."""
    REFUSED = "refused"
    """It is no valid event; recorded as a dead letter."""
    DEAD_LETTERED = "dead_lettered"
    """It can never succeed, or failed too often; recorded as a dead letter."""
    LOST = "lost"
    """The bus was gone before it could be settled; it comes again."""


class Published(StrEnum):
    """What came of publishing one event."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    """The same was decided before; the stored one stays."""
    OUTRUN = "outrun"
    """Another writer was faster with the number that was asked for; it is asked for anew."""
    CONFLICT = "conflict"
    """Somebody else's message has its subject."""
    FAILED = "failed"
    """Not stored within the budget of retries, or the storage is full."""


@dataclass
class Publication:
    """One event on its way to the stream."""

    event: AnyEvent
    """As it will be stored."""
    outcome: Published = Published.FAILED
    """Set by whoever publishes."""
    tries: int = 0


class Numbers:
    """Counts nothing."""

    def begun(self) -> None:
        """A delivery is in work."""

    def handled(self, trigger: str, outcome: Handled, seconds: float) -> None:
        """A delivery in work was settled.

        Args:
            trigger: event name, `input` for the intake, or `other`.
            outcome: how it was settled.
            seconds: from taking it to settling it.
        """

    def folded(self, events: int) -> None:
        """A problem of so many events was read."""

    def published(self, publication: Publication) -> None:
        """An event is stored, or is not."""

    def lag(self, durable: str, pending: int, unacknowledged: int) -> None:
        """What waits in a durable consumer, over all replicas."""

    def alarm(self, kind: str) -> None:
        """Something happened to the connection."""

    def restarts(self, role: str, number: int) -> None:
        """A role's processes were started again so often, all together."""


class Spans:
    """Follows nothing; what an event says of its trace is passed on as it is."""

    @contextmanager
    def taking(self, headers: Mapping[str, str]) -> Iterator[None]:
        """An input is decided.

        Args:
            headers: of the poster's message; they may carry its own trace.
        """
        yield

    @contextmanager
    def processing(
        self, role: str, event: AnyEvent, number: int
    ) -> Iterator[Callable[[Handled], None]]:
        """A delivery is worked off; gives what is to be told how it was settled.

        Args:
            role: of the worker.
            event: the trigger.
            number: of the delivery, from 1.
        """
        yield _unheard

    @contextmanager
    def deciding(self, role: str, event: AnyEvent) -> Iterator[None]:
        """A worker decides on a trigger."""
        yield

    @contextmanager
    def publishing(self, publication: Publication) -> Iterator[None]:
        """An event is published; its trace context is set first."""
        yield


def _unheard(_: Handled) -> None:
    """Nobody is told."""


@dataclass
class Health:
    """Whether a process does its work now."""

    taking: bool = False
    """It takes deliveries, or inputs."""
    answers: bool = True
    """The bus answered when it was last asked."""
    connected: Callable[[], bool] = bool
    """Whether the connection is there now."""

    def wrong(self) -> str:
        """What keeps it from working; empty: it works."""
        if not self.taking:
            return "not taking deliveries"
        if not self.connected():
            return "not connected to the bus"
        return "" if self.answers else "the bus does not answer"


@dataclass(frozen=True)
class Telemetry:
    """What one process tells, and to whom."""

    numbers: Numbers = field(default_factory=Numbers)
    spans: Spans = field(default_factory=Spans)
    health: Health = field(default_factory=Health)

    @contextmanager
    def publishing(self, event: AnyEvent) -> Iterator[Publication]:
        """One event on its way; what came of it is counted at the end of the block."""
        publication = Publication(event)
        try:
            with self.spans.publishing(publication):
                yield publication
        finally:
            self.numbers.published(publication)


def ready(told: Telemetry, role: str, on_ready: Callable[[], None] | None) -> None:
    """A process of a role works from here on; whoever waits for that is called."""
    _log.info("worker %s takes deliveries", role)
    told.health.taking = True
    if on_ready is not None:
        on_ready()
