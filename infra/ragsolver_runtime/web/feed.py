"""One run as it happens: a single follower that any number of readers share.

A reader keeps a place in the stream and asks for what comes after it. Recent events are kept in
memory, older ones are read from the stream again, so nothing is lost and nothing grows with a
reader that is slow.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum

from nats import errors as nats_errors

from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementJudged
from ragsolver_contracts.events_work import AttemptCritiqued
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.model_use import CallCounter
from ragsolver_runtime.read import EventReader, Stored
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.web.lines import EventLine, line_of
from ragsolver_runtime.wire import StoredEvent

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FeedSettings:
    """Times in seconds."""

    kept: int = 20_000
    """Lines of a run in memory; older ones are read from the stream."""
    again_s: float = 1.0
    """Before a follower whose bus did not answer tries again."""
    runs: int = 8
    """Runs that are followed at a time, the least recently asked for out first."""
    yield_every: int = 200
    """Events after which a follower that catches up lets others have their turn."""


class FeedState(StrEnum):
    """How near to the present a feed is."""

    READING = "reading"
    """It reads what is stored."""
    LIVE = "live"
    LOST = "lost"
    """The bus does not answer; what was read is shown, and the rest will come."""


class RunFeed:
    """The state of one run, kept up by a task of its own."""

    def __init__(self, reader: EventReader, run_id: str, settings: FeedSettings) -> None:
        self.view = RunView(run_id)
        self.lines: deque[EventLine] = deque(maxlen=settings.kept)
        self.touched: dict[str, int] = {}
        """Sequence of the latest event, by problem."""
        self.calls: dict[str, CallCounter] = {}
        """Calls of language models, by problem."""
        self.doubted: dict[str, str] = {}
        """What an agent said against a statement, by problem."""
        self.state = FeedState.READING
        self.last = 0
        """Sequence of the latest event."""
        self.closed = False
        self._dropped = 0
        self._reader = reader
        self._settings = settings
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Follow until cancelled; a bus that does not answer is asked again."""
        while True:
            try:
                await self._catch_up()
                self._turn(FeedState.LIVE)
                async for stored in self._reader.follow_run(self.view.run_id, after=self.last):
                    self.take(stored)
                    self._turn(FeedState.LIVE)
            except (nats_errors.Error, BusError, TimeoutError, OSError) as error:
                _log.warning("run %s cannot be followed now: %s", self.view.run_id, error)
                self._turn(FeedState.LOST)
                await asyncio.sleep(self._settings.again_s)

    async def _catch_up(self) -> None:
        count = 0
        async for stored in self._reader.stored_of_run(self.view.run_id, after=self.last):
            self.take(stored)
            count += 1
            if count % self._settings.yield_every == 0:
                await asyncio.sleep(0)

    def take(self, stored: Stored) -> None:
        """Take one stored message in; what was taken before changes nothing."""
        if stored.sequence <= self.last:
            return
        if len(self.lines) == self.lines.maxlen:
            self._dropped = self.lines[0].seq
        self.last = stored.sequence
        self.lines.append(line_of(stored))
        if isinstance(stored, StoredEvent):
            event = stored.event
            if event.id not in self.view.seen and event.problem_id != RUN_SCOPE:
                self.touched[event.problem_id] = stored.sequence
                self.calls.setdefault(event.problem_id, CallCounter()).apply(event)
                self._doubt(event)
            self.view.apply(event)
        self._notify()

    def _doubt(self, event: AnyEvent) -> None:
        match event.data:
            case AttemptCritiqued(error_class=ErrorClass.STATEMENT_PROBLEM):
                self.doubted[event.problem_id] = "the critic doubts the statement"
            case StatementJudged(faithful=False):
                self.doubted[event.problem_id] = "a machine-written statement was not faithful"
            case _:
                pass

    async def after(self, sequence: int) -> AsyncIterator[EventLine]:
        """Lines after a place in the stream, as far as they are stored now."""
        if sequence < self._dropped:
            async for stored in self._reader.stored_of_run(self.view.run_id, after=sequence):
                yield line_of(stored)
                sequence = stored.sequence
                if sequence >= self._dropped:
                    break
        # What a slow reader did not take yet may be dropped meanwhile: it asks again.
        if sequence >= self._dropped:
            for line in _newer(self.lines, sequence):
                yield line

    async def wait(self, sequence: int, state: FeedState) -> None:
        """Return when there is something after a place, or the state is another, or at its end."""
        while self.last <= sequence and self.state is state and not self.closed:
            await self._changed.wait()

    def close(self) -> None:
        """Nothing comes any more: readers end."""
        self.closed = True
        self._notify()

    def _turn(self, state: FeedState) -> None:
        if self.state is not state:
            self.state = state
            self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _newer(lines: deque[EventLine], sequence: int) -> list[EventLine]:
    """Lines after a sequence, oldest first; a copy, for the deque goes on."""
    found: list[EventLine] = []
    for line in reversed(lines):
        if line.seq <= sequence:
            break
        found.append(line)
    found.reverse()
    return found
