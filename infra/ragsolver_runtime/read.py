"""Reading the record: one problem by one batched direct get, a run in the order of the stream.

The last token of an event's subject is unique, so "the last message of every subject" of a
problem is all its events, in one request. Above the server's limit of 1,024 subjects the reader
pages through the stream instead.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import datetime

from nats.aio.client import Client
from nats.aio.msg import Msg

from ragsolver_contracts import subjects
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.direct_get import TOO_MANY, DirectGet
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.problem_cache import ProblemCache
from ragsolver_runtime.streams import EVENTS
from ragsolver_runtime.wire import CLOSES_HEADER, InvalidStored, StoredEvent, decode, in_place

_log = logging.getLogger(__name__)

_RUNS_KEPT = 256
_FOLLOW_POLL_S = 1.0
_NEAR = 2_000
"""Stream messages up to which looking through them beats asking for all of a problem again."""

Stored = StoredEvent | InvalidStored


@dataclass(frozen=True)
class ReadSettings:
    """Times in seconds."""

    timeout_s: float = 3.0
    """Silence after which a request counts as lost."""
    budget_s: float = 30.0
    """All tries of one read together."""
    page: int = 256
    """Messages per request where a read is paged."""


class EventReader:
    """Reads events; validates and upcasts each one, with large payloads put back."""

    def __init__(self, client: Client, settings: ReadSettings | None = None) -> None:
        self._client = client
        self._settings = settings or ReadSettings()
        self._blobs = BlobStore(client.jetstream(timeout=self._settings.timeout_s))
        self._get = DirectGet(
            client, EVENTS, timeout_s=self._settings.timeout_s, budget_s=self._settings.budget_s
        )
        self._cache = ProblemCache()
        self._started: OrderedDict[str, RunStarted] = OrderedDict()

    async def read_problem(self, run_id: str, problem_id: str) -> list[AnyEvent]:
        """Every valid event of one problem, in the order of the stream."""
        return _valid(await self.stored_of_problem(run_id, problem_id))

    async def read_run(self, run_id: str) -> AsyncIterator[AnyEvent]:
        """Every valid event of one run, in the order of the stream."""
        async for stored in self.stored_of_run(run_id):
            if isinstance(stored, StoredEvent):
                yield stored.event

    async def load_case(self, run_id: str, problem_id: str) -> Case:
        """The fold of one problem with its run's configuration.

        Raises:
            PermanentError: the run has no `run_started`.
        """
        events = await self.read_problem(run_id, problem_id)
        return Case.fold(run_id, problem_id, events, await self.run_config(run_id))

    async def run_config(self, run_id: str) -> RunConfig:
        """The configuration in the run's `run_started`.

        Raises:
            PermanentError: the run has no `run_started`.
        """
        started = await self.run_started(run_id)
        if started is None:
            raise PermanentError(f"run {run_id!r} has no run_started event on this bus")
        return started.config

    async def run_started(self, run_id: str) -> RunStarted | None:
        """The run's `run_started`, or none if there is no such run; it never changes: kept."""
        kept = self._started.get(run_id)
        if kept is not None:
            self._started.move_to_end(run_id)
            return kept
        where = subjects.events_of_problem(run_id, RUN_SCOPE, RunStarted.NAME)
        stored = await self._last_of_each(where)
        if not stored and await self._get.leader_has(where):
            stored = await self._last_of_each(where, at_least=1)
        for event in _valid(stored):
            if isinstance(event.data, RunStarted):
                self._started[run_id] = event.data
                while len(self._started) > _RUNS_KEPT:
                    self._started.popitem(last=False)
                return event.data
        return None

    async def last_on(self, subject: str, *, at_least: int) -> list[Stored]:
        """The last message of each subject of a filter, from a replica that is not behind.

        Args:
            subject: the filter; there must be something on it.
            at_least: stream sequence that the answer must include; 0: whatever there is.

        Raises:
            TimeoutError: no answer that reaches so far within the budget.
        """
        return await self._last_of_each(subject, at_least)

    async def stored_of_problem(
        self, run_id: str, problem_id: str, *, at_least: int = 0
    ) -> list[Stored]:
        """Everything stored on one problem's subjects.

        Args:
            run_id: the run.
            problem_id: the problem, or `_run`.
            at_least: stream sequence that the answer must include; a replica that lags behind
                it is asked again, so that a join is never missed by a stale read.
        """
        subject = subjects.events_of_problem(run_id, problem_id)
        known = self._cache.get(subject)
        merged: list[Stored] = []
        if known and at_least - known[-1].sequence <= _NEAR:
            new = [item async for item in self.stored_on(subject, after=known[-1].sequence)]
            merged = [*known, *new]
        # What was asked for may stand on other subjects: then only a full read can tell.
        if not merged or merged[-1].sequence < at_least:
            merged = await self._last_of_each(subject, at_least, known)
        valid = tuple(item for item in merged if isinstance(item, StoredEvent))
        if len(valid) == len(merged):
            self._cache.put(subject, valid)
        return merged

    async def stored_of_run(
        self, run_id: str, *, after: int = 0, name: str = "*"
    ) -> AsyncIterator[Stored]:
        """Everything stored of one run after a stream sequence, in order."""
        async for stored in self.stored_on(subjects.events_of_run(run_id, name), after=after):
            yield stored

    async def stored_on(self, subject: str, *, after: int = 0) -> AsyncIterator[Stored]:
        """Everything stored on a subject filter after a stream sequence, in order."""
        while True:
            page = await self._get.page(
                {"seq": after + 1, "next_by_subj": subject, "batch": self._settings.page}
            )
            for message in page.messages:
                after = _sequence(message)
                yield await self._decode(message)
            if not page.messages or page.pending == 0:
                return

    async def follow_run(self, run_id: str, *, after: int = 0) -> AsyncIterator[Stored]:
        """Everything stored of one run, then what comes, until the caller stops iterating.

        New events are noticed by a core subscription and read from the stream, so a lost
        notice, a reconnect or a restart of the server loses nothing.
        """
        news = asyncio.Event()

        async def _notice(_: Msg) -> None:
            news.set()

        subject = subjects.events_of_run(run_id)
        subscription = await self._client.subscribe(subject, cb=_notice)
        try:
            while True:
                news.clear()
                async for stored in self.stored_on(subject, after=after):
                    after = stored.sequence
                    yield stored
                try:
                    # Not `wait_for`, which may swallow the cancellation that ends this.
                    async with asyncio.timeout(_FOLLOW_POLL_S):
                        await news.wait()
                except TimeoutError:
                    continue
        finally:
            if not self._client.is_closed:
                await subscription.unsubscribe()

    async def _last_of_each(
        self, subject: str, at_least: int = 0, known: Iterable[StoredEvent] = ()
    ) -> list[Stored]:
        kept: dict[int, Stored] = {item.sequence: item for item in known}
        deadline = time.monotonic() + self._settings.budget_s
        while True:
            page = await self._get.page({"multi_last": [subject]})
            if page.status == TOO_MANY:
                paged = [stored async for stored in self.stored_on(subject)]
                if paged and paged[-1].sequence >= at_least:
                    return paged
            elif page.up_to >= at_least:
                return [
                    kept.get(_sequence(message)) or await self._decode(message)
                    for message in page.messages
                ]
            if time.monotonic() > deadline:
                raise TimeoutError(f"the bus answers only up to {page.up_to}, not {at_least}")
            await asyncio.sleep(0.02)

    async def _decode(self, message: Msg) -> Stored:
        headers = message.headers or {}
        sequence = _sequence(message)
        try:
            event = await decode(message.data, self._blobs)
            in_place(event, headers)
        except InvalidEventError as error:
            subject = headers.get("Nats-Subject", "")
            _log.error(
                "stored message %d on %s is not a valid event: %s", sequence, subject, error
            )
            return InvalidStored(sequence, subject, error.problems)
        stamp = headers.get("Nats-Time-Stamp")
        stored_at = datetime.fromisoformat(stamp) if stamp else None
        return StoredEvent(sequence, event, CLOSES_HEADER in headers, stored_at)


def _sequence(message: Msg) -> int:
    return int((message.headers or {})["Nats-Sequence"])


def _valid(stored: list[Stored]) -> list[AnyEvent]:
    return [item.event for item in stored if isinstance(item, StoredEvent)]
