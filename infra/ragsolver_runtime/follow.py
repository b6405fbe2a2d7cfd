"""Watching a run: its events from the first one on, into a view, with progress for people."""

import asyncio
from typing import Protocol, Self

from ragsolver_runtime.read import EventReader
from ragsolver_runtime.run_view import ProblemView, RunView
from ragsolver_runtime.wire import InvalidStored


class Progress(Protocol):
    """Where a run's progress is shown."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(self, *_: object) -> None:
        """Leave the last state behind."""
        ...

    def note(self, text: str) -> None:
        """Something that concerns the run as a whole."""
        ...

    def ended(self, problem: ProblemView) -> None:
        """One problem ended."""
        ...


async def follow(
    reader: EventReader, view: RunView, progress: Progress, changed: asyncio.Event
) -> None:
    """Take everything that is stored of a run into the view, then what comes; for ever.

    Args:
        reader: the bus.
        view: filled.
        progress: told of ended problems and of stored messages that are not valid.
        changed: set after each event.
    """
    async for stored in reader.follow_run(view.run_id):
        if isinstance(stored, InvalidStored):
            pointer, said = stored.problems[0] if stored.problems else ("", "invalid")
            progress.note(f"stored message {stored.sequence} is not valid: {pointer} {said}")
            continue
        ended = view.apply(stored.event)
        if ended is not None:
            progress.ended(ended)
        changed.set()


async def read_view(reader: EventReader, run_id: str) -> RunView:
    """The view of everything that is stored of a run now."""
    view = RunView(run_id)
    async for event in reader.read_run(run_id):
        view.apply(event)
    return view
