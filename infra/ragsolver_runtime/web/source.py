"""Which bus the page looks at: opened when there is one, looked for again when it is gone.

The bus of a `solve` ends with it, and then its runs are read from the data folder; the bus of an
`up` that was started again is another one. So the page outlives both.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import urlsplit

from nats import errors as nats_errors

from ragsolver_runtime.bus_session import Bus, connected, embedded
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.web.feed import FeedSettings
from ragsolver_runtime.web.feeds import Feeds
from ragsolver_runtime.workspace import Workspace

_log = logging.getLogger(__name__)

Opener = Callable[[], AbstractAsyncContextManager[tuple[Bus, Awaitable[None]]]]
"""Opens a bus, with what is done when it is gone."""

AGAIN_S = 1.0
NAME = "cli/web"


class NoBusError(BusError):
    """There is no bus to look at now; the message says why."""


class BusSource:
    """The bus that is there now, with the feeds on it."""

    def __init__(self, opener: Opener, settings: FeedSettings | None = None) -> None:
        self._opener = opener
        self._settings = settings
        self._bus: Bus | None = None
        self._feeds: Feeds | None = None
        self.problem = "looking for a bus"
        """Why there is none."""

    @property
    def bus(self) -> Bus:
        """The bus.

        Raises:
            NoBusError: there is none now.
        """
        if self._bus is None:
            raise NoBusError(self.problem)
        return self._bus

    @property
    def feeds(self) -> Feeds:
        """The feeds on it.

        Raises:
            NoBusError: there is none now.
        """
        if self._feeds is None:
            raise NoBusError(self.problem)
        return self._feeds

    async def run(self) -> None:
        """Open, and open again; until cancelled."""
        while True:
            try:
                async with self._opener() as (bus, gone):
                    await self._until(bus, gone)
                self.problem = "the bus ended; looking for it again"
            except (BusError, nats_errors.Error, TimeoutError, OSError) as error:
                self.problem = str(error) or type(error).__name__
                _log.info("no bus: %s", self.problem)
            await asyncio.sleep(AGAIN_S)

    async def _until(self, bus: Bus, gone: Awaitable[None]) -> None:
        self._feeds = Feeds(bus.reader, self._settings)
        self._bus = bus
        try:
            await gone
        finally:
            self._bus = None
            feeds, self._feeds = self._feeds, None
            await feeds.close()


def shown_url(url: str) -> str:
    """The URL, or several with commas, without users and passwords: for people to see."""
    if "," in url:
        return ", ".join(shown_url(one.strip()) for one in url.split(","))
    parts = urlsplit(url)
    if not parts.hostname:
        return url.rpartition("@")[2]
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "")


def opener_of(url: str | None, workspace: Workspace, table: BusTable) -> Opener:
    """What opens the bus at a URL, or the one on a data folder, which may be at rest."""

    @asynccontextmanager
    async def _open() -> AsyncIterator[tuple[Bus, Awaitable[None]]]:
        endpoint = workspace.endpoint() if url is None else None
        found = url or (endpoint.url if endpoint else None)
        if found is not None:
            async with connected(found, table, NAME, declare=False) as bus:
                yield bus, _closed(bus) if url is not None else _moved(workspace, found, bus)
        elif workspace.has_events:
            async with embedded(workspace, table, NAME, declare=False) as bus:
                yield bus, _dead(bus)
        else:
            raise BusError(
                f"no run was ever made in data folder {workspace.data}: start one with "
                "`ragsolver solve` or `ragsolver up`, or name another folder with --data"
            )

    return _open


def opener_on(bus: Bus) -> Opener:
    """What gives a bus that is open already and outlives the page."""

    @asynccontextmanager
    async def _open() -> AsyncIterator[tuple[Bus, Awaitable[None]]]:
        yield bus, _closed(bus)

    return _open


async def _closed(bus: Bus) -> None:
    while not bus.client.is_closed:  # noqa: ASYNC110 - the client has no event
        await asyncio.sleep(AGAIN_S)


async def _moved(workspace: Workspace, url: str, bus: Bus) -> None:
    """Until another bus runs on the data folder, or none."""
    while not bus.client.is_closed:
        endpoint = workspace.endpoint()
        if endpoint is None or endpoint.url != url:
            return
        await asyncio.sleep(AGAIN_S)


async def _dead(bus: Bus) -> None:
    if bus.server is not None:
        with contextlib.suppress(BusError):
            await bus.server.wait()
