"""The only place where an event is published.

Every event is validated, gets `Nats-Msg-Id` (its id) and expects that its own subject is still
empty, which refuses a duplicate for ever. A publish is tried again through server restarts and
leader changes; what is stored twice is found out by reading back, never guessed.
"""

import asyncio
import logging
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from nats import errors as nats_errors
from nats.aio.client import Client
from nats.js import JetStreamContext, api
from nats.js.errors import APIError

from ragsolver_contracts import subjects
from ragsolver_contracts.events import AnyEvent, parse_event, subject_of
from ragsolver_contracts.events_run import ProblemCancelled, ProblemRefused
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_runtime.access.refusals import check_refused
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.errors import (
    BusLostError,
    PublishError,
    StorageFullError,
    SubjectConflictError,
)
from ragsolver_runtime.read import EventReader, ReadSettings
from ragsolver_runtime.streams import EVENTS
from ragsolver_runtime.telemetry.watching import Publication, Published, Telemetry
from ragsolver_runtime.wire import CLAIM_CHECK_BYTES, CLOSES_HEADER, StoredEvent, encode

_log = logging.getLogger(__name__)

T = TypeVar("T")

_WINDOW = 128
"""Recorded answers on their way at once."""
TERMINAL = (ProblemSolved, ProblemFailed, ProblemRefused, ProblemCancelled)
WRONG_LAST_SEQUENCE = 10071
_LAST_SEQUENCE = re.compile(r"wrong last sequence: ([0-9]+)")
_FULL_CODES = frozenset({10023, 10047})
_FULL_WORDS = ("maximum bytes exceeded", "maximum messages exceeded", "no space left")


@dataclass(frozen=True)
class PublishSettings:
    """Times in seconds."""

    timeout_s: float = 3.0
    """One try; the default of 0.5 s would give up in a pause of the server."""
    budget_s: float = 30.0
    """All tries together; longer than a restart or a change of leader."""
    pause_s: float = 0.1
    """First pause between tries; doubles up to two seconds."""
    claim_check_bytes: int = CLAIM_CHECK_BYTES


@dataclass(frozen=True)
class Stored:
    """The event is on disk, put there by this call."""

    sequence: int


@dataclass(frozen=True)
class Duplicate:
    """The same decision was stored before; that event stays."""

    sequence: int


@dataclass(frozen=True)
class WrongSequence:
    """Somebody wrote to the guarded subjects first."""

    last: int = 0
    """Stream sequence of what is there, as the server says; 0: it does not."""


Guard = tuple[str, int]
"""A subject filter and the last stream sequence that it is expected to have."""


class Publisher:
    """Publishes events on the event stream."""

    def __init__(
        self,
        client: Client,
        settings: PublishSettings | None = None,
        telemetry: Telemetry | None = None,
    ) -> None:
        self._client = client
        self._telemetry = telemetry or Telemetry()
        self._settings = settings or PublishSettings()
        self._js: JetStreamContext = client.jetstream(timeout=self._settings.timeout_s)
        self._blobs = BlobStore(self._js)
        times = ReadSettings(self._settings.timeout_s, self._settings.budget_s)
        self._reader = EventReader(client, times)

    async def publish(self, event: AnyEvent, *, closes: bool = False) -> Stored | Duplicate:
        """Store one event exactly once.

        Args:
            event: the event; it is validated again as it will be read.
            closes: marks the last event of a delivery.

        Raises:
            InvalidEventError: the event would not be readable.
            SubjectConflictError: its subject holds a message that is not this event.
            StorageFullError: stream or disk refuse it.
            PublishError: not stored within the retry budget.
            BusLostError: the connection is closed for good.
            RefusedError: the bus does not let us say this.
        """
        with self._telemetry.publishing(event) as going:
            event = going.event
            result = await self._store(going, (subject_of(event), 0), closes)
            if isinstance(result, WrongSequence):
                outcome: Stored | Duplicate = await self._settled(going, result)
            else:
                outcome = result
            again = isinstance(outcome, Duplicate)
            going.outcome = Published.DUPLICATE if again else Published.STORED
            if isinstance(event.data, TERMINAL) and event.problem_id != RUN_SCOPE:
                await self._notify(event)
            return outcome

    async def _settled(self, going: Publication, taken: WrongSequence) -> Duplicate:
        try:
            return await self._explain(going.event, taken.last)
        except SubjectConflictError:
            going.outcome = Published.CONFLICT
            raise

    async def publish_guarded(self, event: AnyEvent, guard: Guard) -> Stored | WrongSequence:
        """Store one event only if `guard`'s subjects still end at the expected sequence."""
        with self._telemetry.publishing(event) as going:
            result = await self._store(going, guard, closes=False)
            outrun = isinstance(result, WrongSequence)
            going.outcome = Published.OUTRUN if outrun else Published.STORED
            return result

    async def keep_answers(self, entries: Iterable[tuple[str, AnyEvent]]) -> int:
        """Store copies of events as recorded answers, many at once; returns how many.

        Args:
            entries: subject and event; the last one of a subject stays.

        Raises:
            StorageFullError: stream or disk refuse them.
            PublishError: not stored within the retry budget.
        """
        count = 0
        for window in _windows(entries, _WINDOW):
            async with asyncio.TaskGroup() as group:
                for subject, event in window:
                    group.create_task(self._keep(subject, event))
            count += len(window)
        return count

    async def _keep(self, subject: str, event: AnyEvent) -> None:
        raw = await encode(event, self._blobs, self._settings.claim_check_bytes)
        deadline = time.monotonic() + self._settings.budget_s
        while True:
            try:
                await self._js.publish(subject, raw, timeout=self._settings.timeout_s)
            except (nats_errors.Error, TimeoutError, OSError) as error:
                last = self._judge(error, subject)
                if time.monotonic() > deadline:
                    raise PublishError(f"{subject} was not stored: {last!r}") from error
                await asyncio.sleep(self._settings.pause_s)
            else:
                return

    async def _store(
        self, going: Publication, guard: Guard, closes: bool
    ) -> Stored | WrongSequence:
        event = going.event
        parse_event(event.to_json())
        subject = subject_of(event)
        headers = _headers(event, subject, guard, closes)
        deadline = time.monotonic() + self._settings.budget_s
        pause = self._settings.pause_s
        while True:
            going.tries = tries = going.tries + 1
            try:
                raw = await encode(event, self._blobs, self._settings.claim_check_bytes)
                ack = await self._js.publish(
                    subject, raw, timeout=self._settings.timeout_s, headers=dict(headers)
                )
                if not ack.duplicate:
                    return Stored(ack.seq)
                return await self._whose(event, subject, ack.seq, tries)
            except (nats_errors.Error, TimeoutError, OSError) as error:
                if isinstance(error, APIError) and error.err_code == WRONG_LAST_SEQUENCE:
                    return await self._whose(event, guard[0], _named(error), tries)
                last = self._judge(error, subject)
            if time.monotonic() + pause > deadline:
                raise PublishError(
                    f"event {event.name} of {event.entity} was not stored after {tries} tries in "
                    f"{self._settings.budget_s:.0f} s ({last!r}): check that the NATS server "
                    "answers and that its disk is not full"
                ) from last
            await asyncio.sleep(pause)
            pause = min(pause * 2, 2.0)

    def _judge(self, error: Exception, subject: str) -> Exception:
        """Raise what no retry can mend; return the rest."""
        check_refused(self._client, subject)
        if isinstance(error, APIError):
            text = (error.description or "").lower()
            if error.err_code in _FULL_CODES or any(word in text for word in _FULL_WORDS):
                raise StorageFullError(
                    f"the server refuses {subject}: {error.description}; free disk space, or "
                    "raise the stream's max_bytes in the [bus] settings"
                ) from error
        if isinstance(error, nats_errors.MaxPayloadError):
            raise PublishError(
                f"{subject}: the message is above the server's max_payload; lower "
                "claim_check_bytes below it"
            ) from error
        if self._client.is_closed:
            raise BusLostError("the connection to the bus is closed") from error
        return error

    async def _whose(
        self, event: AnyEvent, guarded: str, last: int, tries: int
    ) -> Stored | WrongSequence:
        """The place is taken; after an unanswered try the message there may be our own."""
        if tries > 1:
            for stored in await self._read_back(guarded, last):
                if stored.event == event:  # same writer and time: this very one
                    return Stored(stored.sequence)
        return WrongSequence(last)

    async def _explain(self, event: AnyEvent, last: int) -> Duplicate:
        """The subject is taken: by the same decision, or by something else."""
        subject = subject_of(event)
        for stored in await self._read_back(subject, last):
            if stored.event.id == event.id:
                if stored.event.data != event.data:
                    _log.info("%s %s was decided before; that stays", event.name, event.id)
                return Duplicate(stored.sequence)
        raise SubjectConflictError(
            f"subject {subject} holds a message that is not event {event.id}: somebody else "
            "publishes on the event subjects"
        )

    async def _read_back(self, subject: str, at_least: int) -> list[StoredEvent]:
        """What is there, up to where the server says: a replica that is behind has less."""
        try:
            found = await self._reader.last_on(subject, at_least=at_least)
        except TimeoutError as error:
            raise PublishError(f"cannot read back {subject}: {error}") from error
        return [stored for stored in found if isinstance(stored, StoredEvent)]

    async def _notify(self, event: AnyEvent) -> None:
        """Tell workers at once; a lost notice only costs work, the fold stops it all the same."""
        try:
            await self._client.publish(
                subjects.cancel_notice(event.run_id, event.problem_id), event.name.encode()
            )
        except nats_errors.Error:
            _log.warning("no notice could be sent that %s ended", event.entity)


def _named(error: APIError) -> int:
    """The last sequence of the guarded subjects, as the server's refusal names it."""
    found = _LAST_SEQUENCE.search(error.description or "")
    return int(found[1]) if found else 0


def _windows(entries: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(entries)
    while window := list(islice(iterator, size)):
        yield window


def _headers(event: AnyEvent, subject: str, guard: Guard, closes: bool) -> dict[str, str]:
    filter_subject, sequence = guard
    headers = {
        api.Header.MSG_ID.value: event.id,
        api.Header.EXPECTED_STREAM.value: EVENTS,
        api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value: str(sequence),
    }
    if filter_subject != subject:
        headers["Nats-Expected-Last-Subject-Sequence-Subject"] = filter_subject
    if closes:
        headers[CLOSES_HEADER] = "1"
    return headers
