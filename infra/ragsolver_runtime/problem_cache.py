"""Events of recent problems, kept so that a fold reads only what is new.

A stored event never changes, so keeping it is safe; what is kept can always be read again, and
losing it costs time only.
"""

from collections import OrderedDict

from ragsolver_runtime.wire import StoredEvent


class ProblemCache:
    """Stored events by problem, least recently used out first."""

    def __init__(self, max_events: int = 4_000) -> None:
        self._max_events = max_events
        self._events = 0
        self._kept: OrderedDict[str, tuple[StoredEvent, ...]] = OrderedDict()

    def get(self, key: str) -> tuple[StoredEvent, ...]:
        """What is kept of a problem, in the order of the stream; empty if nothing is."""
        kept = self._kept.get(key, ())
        if kept:
            self._kept.move_to_end(key)
        return kept

    def put(self, key: str, events: tuple[StoredEvent, ...]) -> None:
        """Keep a problem's events, unless more of them are kept already."""
        before = self._kept.get(key, ())
        if len(events) <= len(before):
            return
        self._kept[key] = events
        self._kept.move_to_end(key)
        self._events += len(events) - len(before)
        while self._events > self._max_events:
            _, oldest = self._kept.popitem(last=False)
            self._events -= len(oldest)
