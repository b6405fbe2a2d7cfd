"""The feeds of the runs that somebody looks at, each opened once."""

import asyncio
import contextlib
from collections import OrderedDict

from ragsolver_runtime.read import EventReader
from ragsolver_runtime.tasks import end
from ragsolver_runtime.web.feed import FeedSettings, RunFeed


class Feeds:
    """Feeds by run on one reader; those asked for longest ago make room."""

    def __init__(self, reader: EventReader, settings: FeedSettings | None = None) -> None:
        self._reader = reader
        self._settings = settings or FeedSettings()
        self._open: OrderedDict[str, tuple[RunFeed, asyncio.Task[None]]] = OrderedDict()

    async def feed(self, run_id: str) -> RunFeed | None:
        """The feed of a run; none if there is no such run on the bus."""
        if run_id not in self._open:
            if await self._reader.run_started(run_id) is None:
                return None
            if run_id not in self._open:
                self._start(run_id)
        self._open.move_to_end(run_id)
        return self._open[run_id][0]

    def _start(self, run_id: str) -> None:
        feed = RunFeed(self._reader, run_id, self._settings)
        task = asyncio.create_task(feed.run(), name=f"feed {run_id}")
        self._open[run_id] = (feed, task)
        while len(self._open) > self._settings.runs:
            _, (oldest, its_task) = self._open.popitem(last=False)
            oldest.close()
            its_task.cancel()

    async def close(self) -> None:
        """End every feed."""
        for feed, _ in self._open.values():
            feed.close()
        await end(*(task for _, task in self._open.values()))
        self._open.clear()

    async def settled(self, feed: RunFeed, patience_s: float) -> None:
        """Give a feed that was just opened a moment to read what is stored."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while feed.state == "reading":
                    await feed.wait(feed.last, feed.state)
