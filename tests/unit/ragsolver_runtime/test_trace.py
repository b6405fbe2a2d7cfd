import json
from datetime import UTC, datetime
from typing import Any

from ragsolver_contracts.events import AnyEvent, subject_of
from ragsolver_runtime.publish import Duplicate, Stored
from ragsolver_runtime.trace import (
    BadLine,
    EndLine,
    TraceLine,
    export_run,
    import_trace,
    parse_line,
    read_trace,
    trace_line,
)
from ragsolver_runtime.wire import InvalidStored, StoredEvent
from suites.sample_run import RUN, VERSIONS, sample_run

AT = datetime(2026, 1, 2, tzinfo=UTC)


class RecordedRun:
    """Stands in for the reader: a stored run."""

    def __init__(self, stored: list[Any]) -> None:
        self.stored = stored

    async def stored_of_run(self, run_id: str):
        assert run_id == RUN
        for item in self.stored:
            yield item


class Bus:
    """Stands in for the publisher: keeps what it is given."""

    def __init__(self) -> None:
        self.events: dict[str, tuple[AnyEvent, bool]] = {}

    async def publish(self, event: AnyEvent, *, closes: bool = False) -> Stored | Duplicate:
        if event.id in self.events:
            return Duplicate(1)
        self.events[event.id] = (event, closes)
        return Stored(len(self.events))


def stored_run() -> list[StoredEvent]:
    numbered = enumerate(sample_run(), start=7)
    return [StoredEvent(n, e, closes=n % 5 == 0, stored_at=AT) for n, e in numbered]


async def exported(stored: list[Any]) -> list[str]:
    return [line async for line in export_run(RecordedRun(stored), RUN)]  # type: ignore[arg-type]


async def test_every_exported_line_is_valid_and_carries_the_versions() -> None:
    stored = stored_run()
    *lines, end = await exported(stored)
    assert isinstance(parse_line(1, end.encode()), EndLine)
    for raw, original in zip(lines, stored, strict=True):
        line = parse_line(1, raw.encode())
        assert isinstance(line, TraceLine)
        assert line.event == original.event
        assert line.record.versions == VERSIONS
        assert line.record.stored_at == AT
        assert line.record.subject == subject_of(original.event)
        assert (line.record.seq, line.record.closes) == (original.sequence, original.closes)


async def test_what_is_stored_but_invalid_is_told_apart() -> None:
    invalid = InvalidStored(3, "rs.v1.x", (("/data", "wrong"),))
    lines = await exported([*stored_run()[:2], invalid])
    assert lines[2] is invalid


async def test_import_gives_the_same_events_once() -> None:
    raw = [line.encode() for line in await exported(stored_run())][:-1]
    lines = list(read_trace(raw))
    bus = Bus()
    first = await import_trace(lines, bus)  # type: ignore[arg-type]
    again = await import_trace(lines, bus)  # type: ignore[arg-type]
    assert (first.stored, first.known) == (len(raw), 0)
    assert (again.stored, again.known) == (0, len(raw))
    assert [e for e, _ in bus.events.values()] == sample_run()
    assert [c for _, c in bus.events.values()] == [s.closes for s in stored_run()]


def changed(**changes: Any) -> BadLine | TraceLine:
    record = json.loads(trace_line(stored_run()[3], VERSIONS))
    return parse_line(9, json.dumps({**record, **changes}).encode())


def test_bad_lines_say_where_and_what() -> None:
    found = [
        parse_line(4, b"{nonsense"),
        changed(trace=3),
        changed(extra=1),
        changed(subject="rs.v1.other"),
        changed(event={**json.loads(stored_run()[3].event.to_json()), "id": "0" * 32}),
    ]
    messages = []
    for line in found:
        assert isinstance(line, BadLine)
        messages.append(line.message)
    assert "JSON" in messages[0]
    assert "/trace" in messages[1]
    assert "/extra" in messages[2]
    assert "/subject" in messages[3]
    assert "/event/id" in messages[4]


def test_blank_lines_do_not_count_but_keep_the_numbers() -> None:
    raw = trace_line(stored_run()[0], VERSIONS).encode()
    (line,) = read_trace([b"\n", raw, b"  \n"])
    assert line.number == 2
