"""The trace of a run: its events as JSON, one a line, in the order of the stream.

    {"trace": 2, "seq": 12, "subject": "rs.v1.…", "stored_at": "…", "versions": {…}, "event": {…},
     "previous": "…", "digest": "…"}

A trace is the run: put on an empty bus it gives the same states, because states are folds. Lines
of version 1 have no chain (`trace_chain`) and are read as before.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any, Literal

from pydantic import AwareDatetime, Field, ValidationError, model_validator

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent, parse_event, subject_of
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.invalid import InvalidEventError, pointers
from ragsolver_runtime.publish import Publisher, Stored
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.trace_chain import ChainWriter
from ragsolver_runtime.wire import InvalidStored, StoredEvent

MAX_LINE = 64 * 1024**2
"""Bytes of the longest line that is read: far above any event, so that a wrong file cannot fill
the memory."""
_ON_THEIR_WAY = 64
"""Events that an import sends before it waits for their acknowledgements."""


class TraceRecord(Model):
    """One line of a trace, its event not yet validated."""

    trace: Literal[1, 2] = 1
    """Version of the line format."""
    seq: int = Field(ge=1)
    """Stream sequence on the bus that it was exported from; ascending, with gaps where other
    runs wrote."""
    subject: str
    stored_at: AwareDatetime
    closes: bool = False
    """The last event of the delivery that emitted it."""
    versions: dict[str, str]
    """What `run_started` says of the parts."""
    event: dict[str, Any]
    previous: str | None = None
    """Digest of the line before; empty for the first. None: version 1, without a chain."""
    digest: str | None = None
    """Digest of this line."""

    @model_validator(mode="after")
    def _chained(self) -> "TraceRecord":
        sealed = (self.previous is not None, self.digest is not None)
        if sealed != (self.trace == 2, self.trace == 2):
            raise ValueError("previous and digest stand exactly in lines of version 2")
        return self


class TraceEnd(Model):
    """The closing line of a trace."""

    trace: Literal[2]
    end: Literal[True]
    run: str
    count: int = Field(ge=0)
    """Lines before this one."""
    previous: str
    digest: str


@dataclass(frozen=True)
class TraceLine:
    """A valid line."""

    number: int
    """1-based line of the file."""
    record: TraceRecord
    event: AnyEvent


@dataclass(frozen=True)
class EndLine:
    """A valid closing line."""

    number: int
    record: TraceEnd


@dataclass(frozen=True)
class BadLine:
    """A line that is not a valid record, or whose event is invalid."""

    number: int
    message: str


AnyLine = TraceLine | EndLine | BadLine


@dataclass(frozen=True)
class Imported:
    """What an import did."""

    stored: int
    known: int
    """Events that were on the bus already."""


async def export_run(reader: EventReader, run_id: str) -> AsyncIterator[str | InvalidStored]:
    """The lines of a run's trace, one by one; what is stored but invalid comes as it is.

    Args:
        reader: the bus.
        run_id: the run.
    """
    versions: dict[str, str] = {}
    chain = ChainWriter()
    async for stored in reader.stored_of_run(run_id):
        if isinstance(stored, InvalidStored):
            yield stored
            continue
        if isinstance(stored.event.data, RunStarted):
            versions = stored.event.data.versions
        yield chain.seal(trace_line(stored, versions, version=2))
    yield chain.close(run_id)


def trace_line(stored: StoredEvent, versions: dict[str, str], *, version: int = 1) -> str:
    """One event as a line of a trace, without chain and line end."""
    event = stored.event
    record: dict[str, Any] = {
        "trace": version,
        "seq": stored.sequence,
        "subject": subject_of(event),
        "stored_at": (stored.stored_at or event.time).isoformat(),
    }
    if stored.closes:
        record["closes"] = True
    record |= {"versions": versions}
    head = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return f'{head[:-1]},"event":{event.to_json().decode()}}}'


def parse_line(number: int, raw: bytes) -> AnyLine:
    """Read one line: the record, then its event, upcast and validated."""
    if len(raw) > MAX_LINE:
        return BadLine(number, f"longer than {MAX_LINE} bytes")
    try:
        if raw.startswith(b'{"trace":2,"end":'):
            return EndLine(number, TraceEnd.model_validate_json(raw))
        record = TraceRecord.model_validate_json(raw)
    except ValidationError as error:
        return BadLine(number, "; ".join(f"{w or '/'}: {m}" for w, m in pointers(error)[:3]))
    try:
        event = parse_event(record.event)
    except InvalidEventError as error:
        said = "; ".join(f"/event{where}: {what}" for where, what in error.problems[:3])
        return BadLine(number, said)
    if record.subject != subject_of(event):
        return BadLine(number, f"/subject: is {record.subject}, but the event's is another")
    return TraceLine(number, record, event)


def read_trace(lines: Iterable[bytes]) -> Iterator[AnyLine]:
    """Every line of a trace; blank lines are skipped."""
    for number, raw in enumerate(lines, start=1):
        if raw.strip():
            yield parse_line(number, raw)


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file, none longer than one byte above `MAX_LINE` in memory."""
    while raw := stream.readline(MAX_LINE + 1):
        yield raw


async def import_trace(lines: Iterable[AnyLine], publisher: Publisher) -> Imported:
    """Put events on a bus under their own ids; what is there already stays.

    Many are on their way at once, sent in the order of the lines; only where the bus fails for a
    moment may some change places, which no fold depends on.

    Args:
        lines: valid lines; what holds no event is passed over.
        publisher: the bus.
    """
    stored = known = 0
    events = (line for line in lines if isinstance(line, TraceLine))
    while window := list(islice(events, _ON_THEIR_WAY)):
        async with asyncio.TaskGroup() as group:
            sent = [
                group.create_task(publisher.publish(line.event, closes=line.record.closes))
                for line in window
            ]
        outcomes = [isinstance(task.result(), Stored) for task in sent]
        stored += sum(outcomes)
        known += len(outcomes) - sum(outcomes)
    return Imported(stored, known)
