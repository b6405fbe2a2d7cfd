"""The trace of a run: its events as JSON, one a line, in the order of the stream.

    {"trace": 1, "seq": 12, "subject": "rs.v1.…", "stored_at": "…", "versions": {…}, "event": {…}}

A trace is the run: put on an empty bus it gives the same states, because states are folds.
"""

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import AwareDatetime, Field, ValidationError

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent, parse_event, subject_of
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.invalid import InvalidEventError, pointers
from ragsolver_runtime.publish import Publisher, Stored
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.wire import InvalidStored, StoredEvent

MAX_LINE = 64 * 1024**2
"""Bytes of the longest line that is read: far above any event, so that a wrong file cannot fill
the memory."""


class TraceRecord(Model):
    """One line of a trace, its event not yet validated."""

    trace: Literal[1] = 1
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


@dataclass(frozen=True)
class TraceLine:
    """A valid line."""

    number: int
    """1-based line of the file."""
    record: TraceRecord
    event: AnyEvent


@dataclass(frozen=True)
class BadLine:
    """A line that is not a valid record, or whose event is invalid."""

    number: int
    message: str


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
    async for stored in reader.stored_of_run(run_id):
        if isinstance(stored, InvalidStored):
            yield stored
            continue
        if isinstance(stored.event.data, RunStarted):
            versions = stored.event.data.versions
        yield trace_line(stored, versions)


def trace_line(stored: StoredEvent, versions: dict[str, str]) -> str:
    """One event as a line of a trace, without the line end."""
    event = stored.event
    record: dict[str, Any] = {
        "trace": 1,
        "seq": stored.sequence,
        "subject": subject_of(event),
        "stored_at": (stored.stored_at or event.time).isoformat(),
    }
    if stored.closes:
        record["closes"] = True
    record |= {"versions": versions, "event": json.loads(event.to_json())}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def parse_line(number: int, raw: bytes) -> TraceLine | BadLine:
    """Read one line: the record, then its event, upcast and validated."""
    if len(raw) > MAX_LINE:
        return BadLine(number, f"longer than {MAX_LINE} bytes")
    try:
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


def read_trace(lines: Iterable[bytes]) -> Iterator[TraceLine | BadLine]:
    """Every line of a trace; blank lines are skipped."""
    for number, raw in enumerate(lines, start=1):
        if raw.strip():
            yield parse_line(number, raw)


async def import_trace(lines: Iterable[TraceLine], publisher: Publisher) -> Imported:
    """Put events on a bus under their own ids, in order; what is there already stays.

    Args:
        lines: valid lines.
        publisher: the bus.
    """
    stored = known = 0
    for line in lines:
        outcome = await publisher.publish(line.event, closes=line.record.closes)
        if isinstance(outcome, Stored):
            stored += 1
        else:
            known += 1
    return Imported(stored, known)
