"""What the web page's tests look at: feeds and cases from events, without a bus."""

from collections.abc import Sequence

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, parse_event
from ragsolver_runtime.web.feed import FeedSettings, RunFeed
from ragsolver_runtime.wire import StoredEvent
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run
from suites.traces import GOLDEN


def stored(events: Sequence[AnyEvent]) -> list[StoredEvent]:
    """Events with sequences from 1."""
    return [StoredEvent(number, event) for number, event in enumerate(events, 1)]


def fed(events: Sequence[AnyEvent] | None = None, **settings: int) -> RunFeed:
    """A feed that has taken the sample run, or other events."""
    found = sample_run() if events is None else list(events)
    feed = RunFeed(MemoryBus(found).reader, RUN, FeedSettings(**settings))
    for item in stored(found):
        feed.take(item)
    return feed


def sample_case(problem: str) -> tuple[Case, list[AnyEvent]]:
    """One problem of the sample run."""
    events = [e for e in sample_run() if e.problem_id == problem]
    return Case.fold(RUN, problem, events), events


def golden_case(name: str) -> tuple[Case, list[AnyEvent]]:
    """The problem of a recorded history."""
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    found = [parse_event(line) for line in lines]
    events = [e for e in found if not e.problem_id.startswith("_")]
    first = events[0]
    return Case.fold(first.run_id, first.problem_id, found, None), events
