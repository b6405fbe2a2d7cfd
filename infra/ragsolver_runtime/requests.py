"""Answering requests on a core subject: many servers share them, none takes more than it can do.

A request is answered once or not at all; who asks waits with a limit. Nothing is stored.
"""

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from nats import errors as nats_errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from ragsolver_runtime.connect import settle
from ragsolver_runtime.tasks import end

_log = logging.getLogger(__name__)

PATIENCE_HEADER = "Rs-Patience-S"
"""Optional header of a request: seconds after which nobody waits for the answer any more."""


@dataclass(frozen=True)
class Service:
    """What is served; times in seconds.

    Attributes:
        subject: core subject of the requests.
        queue: servers of the same queue share them.
        answer: the reply to one request; told the largest reply in bytes that can be sent.
        sorry: the reply that says why there is none; the asker may ask again.
        at_once: requests in work at a time.
        waiting: requests that wait for that; any more are told to come again.
        longest_s: a request in work for longer is given up.
    """

    subject: str
    queue: str
    answer: Callable[[bytes, int], Awaitable[bytes]]
    sorry: Callable[[str], bytes]
    at_once: int = 2
    waiting: int = 16
    longest_s: float = 1800.0


class RequestServer:
    """Serves inside the block; at its end what is in work gets a moment, the rest an apology."""

    def __init__(self, client: Client, service: Service, *, drain_s: float = 5.0) -> None:
        """Nothing is served yet.

        Args:
            client: the bus.
            service: what to serve.
            drain_s: seconds that work in progress gets at the end.
        """
        self._client = client
        self._service = service
        self._drain_s = drain_s
        self._limit = asyncio.Semaphore(service.at_once)
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def __aenter__(self) -> Self:
        service = self._service
        self._subscription = await self._client.subscribe(
            service.subject, queue=service.queue, cb=self._take
        )
        await settle(self._client)  # from here on no request is missed
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Take no more, finish what can be finished, apologize for the rest; may be repeated."""
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            with suppress(nats_errors.Error):
                await subscription.unsubscribe()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._drain_s)
        await end(*self._tasks)

    async def _take(self, message: Msg) -> None:
        if not message.reply:
            return
        if len(self._tasks) >= self._service.at_once + self._service.waiting:
            await self._respond(message, self._service.sorry("busy, try again"))
            return
        task = asyncio.create_task(self._handle(message), name="answer a request")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _handle(self, message: Msg) -> None:
        sorry = self._service.sorry
        try:
            reply = await self._answer(message)
        except asyncio.CancelledError:
            await self._respond(message, sorry("this server stops, try again"))
            raise
        except TimeoutError:
            reply = sorry("there was no answer in the time that was given")
        except Exception as error:  # noqa: BLE001 - one request must not stop the others
            _log.exception("a request on %s failed", self._service.subject)
            reply = sorry(f"the server failed: {type(error).__name__}")
        await self._respond(message, reply)

    async def _answer(self, message: Msg) -> bytes:
        longest_s = min(_patience_s(message), self._service.longest_s)
        async with asyncio.timeout(longest_s), self._limit:
            return await self._service.answer(message.data, self._client.max_payload)

    async def _respond(self, message: Msg, reply: bytes) -> None:
        try:
            await message.respond(reply)
        except (nats_errors.Error, OSError) as error:
            _log.warning("an answer on %s could not be sent: %r", self._service.subject, error)


def _patience_s(message: Msg) -> float:
    """How long the asker waits; for ever where it does not say."""
    try:
        seconds = float((message.headers or {}).get(PATIENCE_HEADER, "inf"))
    except ValueError:
        return math.inf
    return seconds if seconds > 0 else math.inf  # also for `nan`


class Services:
    """The servers of one process."""

    def __init__(self, client: Client, *, drain_s: float) -> None:
        self._client, self._drain_s = client, drain_s
        self._servers: list[RequestServer] = []

    def serve(self, service: Service) -> RequestServer:
        """A server for a service, to be entered."""
        server = RequestServer(self._client, service, drain_s=self._drain_s)
        self._servers.append(server)
        return server

    async def stop(self) -> None:
        """Stop all of them, while the connection is still there."""
        await asyncio.gather(*(server.stop() for server in self._servers))
