"""The valve: new problems wait while those in work have not got through.

Deliveries are first come, first served. Of ten thousand posted problems the first worker would
otherwise look at every one before the first candidate is judged, and fast workers would pile up
work in front of the slow one. So new problems stand in a queue of their own (a second durable of
the worker that opens them), and that worker takes one only while

- it has a lane that finds nothing else to do: what is in work goes first; and
- no other worker has a backlog: the valve closes when some durable has more than `most` events
  waiting, and opens again when none has more than `fewest`.

Nothing is kept: the counts are the server's. A valve cannot stay closed: a backlog counts only
while it is worked on, so it shrinks or stops to count. Retries, children and everything else of a
problem in work come by other durables and never wait here.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from faststream.nats import NatsMessage
from nats import errors as nats_errors
from nats.aio.msg import Msg
from nats.js import JetStreamContext, api

from ragsolver_runtime.delivery import BusDelivery, Delivery
from ragsolver_runtime.streams import EVENTS, newcomers_durable, role_of

_log = logging.getLogger(__name__)

_PAUSE_S = 0.2
_SETTLE_S = 0.02
"""A lane that has just ended takes up within this what waits for it."""
_FAULTS = (nats_errors.Error, TimeoutError, OSError)


@dataclass(frozen=True)
class ValveSettings:
    """Sizes in events, times in seconds."""

    most: int = 256
    """A durable with more events waiting closes the valve; 0 keeps it open."""
    fewest: int = 128
    """The valve opens again when no durable has more."""
    look_s: float = 0.25
    """Between two looks of a closed valve."""
    fresh_s: float = 0.05
    """For so long what was seen is believed; the lanes of a process look once for all of them."""
    stale_s: float = 900.0
    """A backlog of which nothing was delivered for so long is nobody's: it holds nothing back."""


class Room:
    """How many deliveries are in work beside the lanes that there are."""

    def __init__(self, lanes: int) -> None:
        self._free = lanes
        self._changed = asyncio.Event()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One delivery is in work for the block."""
        self._free -= 1
        try:
            yield
        finally:
            self._free += 1
            self._changed.set()

    @property
    def is_free(self) -> bool:
        """Whether some lane has nothing to do now."""
        return self._free > 0

    async def free(self) -> None:
        """Wait until a lane has nothing to do."""
        while not self.is_free:
            self._changed.clear()
            await self._changed.wait()


def backlog(
    durables: Iterable[api.ConsumerInfo], own: str, now: datetime, stale_s: float
) -> tuple[int, str]:
    """The longest backlog of another role that somebody works on, in events, and whose it is.

    Args:
        durables: those of the event stream.
        own: role that opens problems. What waits for it goes first anyway, and most of it may be
            posted problems that it only passes over.
        now: aware.
        stale_s: silence after which nobody works on it.
    """
    since = now - timedelta(seconds=stale_s)
    found = (0, "")
    for info in durables:
        if role_of(info.name) == own or role_of(info.name) != info.name:
            continue
        last = info.delivered.last_active if info.delivered is not None else None
        if last is not None and last >= since:
            found = max(found, (info.num_pending or 0, info.name))
    return found


class Valve:
    """Lets new problems in. One per process; all see the same counts."""

    def __init__(self, js: JetStreamContext, role: str, settings: ValveSettings) -> None:
        self._js = js
        self._role = role
        self._settings = settings
        self._closed = False
        self._failed = False
        self._seen_at = -math.inf
        self._looking = asyncio.Lock()

    async def opened(self) -> None:
        """Wait until a new problem may be taken."""
        while self._settings.most:
            if not await self._is_closed():
                return
            await asyncio.sleep(self._settings.look_s)

    async def _is_closed(self) -> bool:
        clock = asyncio.get_running_loop()
        async with self._looking:
            if clock.time() - self._seen_at >= self._settings.fresh_s:
                await self._look()
                self._seen_at = clock.time()
        return self._closed

    async def _look(self) -> None:
        """Open or close by what the server tells now."""
        try:
            durables = await self._js.consumers_info(EVENTS)
        except _FAULTS as error:
            if not self._failed:
                _log.warning("nothing is held back: the backlogs cannot be read (%r)", error)
            self._closed, self._failed = False, True
            return
        self._failed = False
        waiting, whose = backlog(durables, self._role, datetime.now(UTC), self._settings.stale_s)
        limit = self._settings.fewest if self._closed else self._settings.most
        closed = waiting > limit
        if closed is not self._closed:
            _log.info(
                "new problems %s: %d events wait for %s",
                "wait" if closed else "are taken",
                waiting,
                whose or "nobody",
            )
        self._closed = closed


async def take_newcomers(
    js: JetStreamContext,
    role: str,
    valve: Valve,
    room: Room,
    handle: Callable[[Delivery], Awaitable[None]],
    pull_timeout_s: float,
) -> None:
    """One lane of new problems, for ever: wait for room and for the valve, take one, settle it.

    Args:
        js: JetStream context.
        role: the worker that opens problems.
        valve: of this process.
        room: lanes of this process.
        handle: works off one delivery and settles it.
        pull_timeout_s: of one pull request.
    """
    subscription = await js.pull_subscribe_bind(durable=newcomers_durable(role), stream=EVENTS)
    try:
        while True:
            await room.free()
            await valve.opened()
            await asyncio.sleep(_SETTLE_S)
            if not room.is_free:
                continue
            messages: list[Msg] = []
            try:
                messages = await subscription.fetch(batch=1, timeout=pull_timeout_s)
            except nats_errors.TimeoutError:
                continue
            except _FAULTS as error:
                _log.debug("no new problem can be taken now: %r", error)
                await asyncio.sleep(_PAUSE_S)
            for message in messages:
                await handle(BusDelivery(NatsMessage(raw_message=message, body=message.data)))
    finally:
        # A status that came after the last pull would keep a draining connection for 30 s.
        with suppress(*_FAULTS):
            await subscription.unsubscribe()
