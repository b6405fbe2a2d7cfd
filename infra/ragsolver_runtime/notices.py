"""Notices that a problem needs no more work, and those who wait for them.

A notice is a core message: it arrives in a fraction of a millisecond or not at all. Losing one
costs work, never correctness, because every delivery looks at the fold first.
"""

import asyncio
from collections import OrderedDict
from types import TracebackType
from typing import Self

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from ragsolver_contracts import subjects
from ragsolver_runtime.connect import settle

_KEPT = 4096


class CancelNotices:
    """Listens for notices; `async with` holds the subscription."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._subscription: Subscription | None = None
        self._seen: OrderedDict[str, asyncio.Event] = OrderedDict()

    async def __aenter__(self) -> Self:
        self._subscription = await self._client.subscribe(subjects.CANCEL_ALL, cb=self._hear)
        await settle(self._client)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._subscription is not None and not self._client.is_closed:
            await self._subscription.unsubscribe()

    async def cancelled(self, run_id: str, problem_id: str) -> None:
        """Return as soon as a notice for this problem has been heard, before or after the call."""
        await self._event(subjects.cancel_notice(run_id, problem_id)).wait()

    async def _hear(self, message: Msg) -> None:
        self._event(message.subject).set()

    def _event(self, subject: str) -> asyncio.Event:
        event = self._seen.setdefault(subject, asyncio.Event())
        self._seen.move_to_end(subject)
        if len(self._seen) > _KEPT:
            oldest = next(iter(self._seen))
            # Whoever still waits on the oldest keeps it; a notice may then be missed, not wrong.
            del self._seen[oldest]
        return event
