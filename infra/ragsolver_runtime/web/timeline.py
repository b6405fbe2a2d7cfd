"""When what happened to a problem, and what took how long.

Events that one process emitted for one cause are one span: it begins with the cause, so it holds
the time in the queue, and ends with the last of them. What the events themselves say of work
(a check of Lean, a search, a call of a model) is kept apart from the waiting.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import AwareDatetime

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent

MODEL = "model"
"""Lane of calls to language models."""
LANES = ("intake", "planner", "retriever", "generator", "formalizer", "verifier", "critic", MODEL)


class Span(Model):
    """What one process did for one cause; milliseconds from the problem's first event."""

    lane: str
    source: str
    name: str
    """Event name."""
    start_ms: float
    end_ms: float
    work_ms: float | None = None
    """Of these, what its events count as work; none where they do not tell."""
    count: int
    """Events."""
    events: tuple[str, ...]
    """Their ids."""
    attempt: int | None = None


class Share(Model):
    """What a lane or a process came to."""

    name: str
    total_ms: float
    """With time in queues; what overlaps counts once."""
    work_ms: float
    events: int


class Timeline(Model):
    """The spans of a problem, in the order of their ends."""

    began_at: AwareDatetime | None = None
    length_ms: float = 0.0
    spans: tuple[Span, ...] = ()
    stages: tuple[Share, ...] = ()
    """By lane."""
    processes: tuple[Share, ...] = ()
    """By `<role>/<instance>`."""


def groups_of(events: Iterable[AnyEvent]) -> list[list[AnyEvent]]:
    """Events that follow each other with the same source, cause and name."""
    groups: list[list[AnyEvent]] = []
    for event in events:
        last = groups[-1][-1] if groups else None
        same = last is not None and (last.source, last.causationid, last.name) == (
            event.source,
            event.causationid,
            event.name,
        )
        if same and event.causationid is not None:
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def timeline_of(events: Sequence[AnyEvent]) -> Timeline:
    """The timeline of one problem's events, in the order of the stream."""
    if not events:
        return Timeline()
    began = min(event.time for event in events)
    at = {e.id: (e.time - began).total_seconds() * 1000 for e in events}
    spans = [_span(group, at) for group in groups_of(events)]
    lanes = {span.lane for span in spans}
    ordered = [*LANES, *sorted(lanes - set(LANES))]
    sources = sorted({span.source for span in spans if span.lane != MODEL})
    return Timeline(
        began_at=began,
        length_ms=max(at.values()),
        spans=tuple(spans),
        stages=tuple(
            _share(lane, [s for s in spans if s.lane == lane]) for lane in ordered if lane in lanes
        ),
        processes=tuple(
            _share(source, [s for s in spans if s.source == source and s.lane != MODEL])
            for source in sources
        ),
    )


def _span(group: Sequence[AnyEvent], at: dict[str, float]) -> Span:
    first, end = group[0], max(at[event.id] for event in group)
    works = [_work_ms(event.data) for event in group]
    known = [work for work in works if work is not None]
    work = sum(known) if known else None
    start = min(at.get(first.causationid or "", at[first.id]), end)
    if first.name == "llm_called":
        start = max(0.0, end - (work or 0.0))
    return Span(
        lane=MODEL if first.name in {"llm_called", "llm_reserved"} else first.role,
        source=first.source,
        name=first.name,
        start_ms=start,
        end_ms=end,
        work_ms=min(work, end - start) if work is not None else None,
        count=len(group),
        events=tuple(event.id for event in group),
        attempt=getattr(first.data, "attempt", None),
    )


def _work_ms(data: Any) -> float | None:
    """Milliseconds of work that an event tells of."""
    name = data.NAME
    if name == "verdict_issued":
        return float(data.verdict.elapsed_ms)
    if name == "evidence_retrieved":
        return float(data.result.trace.latency_ms)
    if name == "llm_called":
        return float(data.latency_ms)
    return None


def _share(name: str, spans: Sequence[Span]) -> Share:
    return Share(
        name=name,
        total_ms=_covered((span.start_ms, span.end_ms) for span in spans),
        work_ms=sum(span.work_ms or 0.0 for span in spans),
        events=sum(span.count for span in spans),
    )


def _covered(intervals: Iterable[tuple[float, float]]) -> float:
    """Length of the union of some intervals."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(intervals):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total
