"""Batched direct gets, tried again until the bus answers.

Any replica answers a direct get, also one that is behind. What it has is true; that it has
nothing is not, and only the stream's leader can say so.
"""

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any

from nats import errors as nats_errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext

from ragsolver_runtime.access.api_subjects import direct_get, stream_info
from ragsolver_runtime.access.refusals import check_refused
from ragsolver_runtime.errors import BusLostError

TOO_MANY = "413"
_END = "204"
_EMPTY = "404"
_PAUSE_S = 0.2
_LOST = (nats_errors.Error, TimeoutError, OSError)


@dataclass(frozen=True)
class Page:
    """The answer to one request."""

    messages: list[Msg]
    status: str
    """204 after messages, 404 for none, `TOO_MANY` for more than a request may ask for."""
    up_to: int
    """Stream sequence that the answering server had reached; 0 if it did not say."""
    pending: int
    """Messages that are left for the next page."""


class DirectGet:
    """Direct gets on one stream."""

    def __init__(self, client: Client, stream: str, *, timeout_s: float, budget_s: float) -> None:
        """Open it.

        Args:
            client: the bus.
            stream: its name.
            timeout_s: silence after which a request counts as lost, in seconds.
            budget_s: all tries of one request together, in seconds.
        """
        self._client = client
        self._stream = stream
        self._timeout_s = timeout_s
        self._budget_s = budget_s
        self._js = client.jetstream(timeout=timeout_s)

    async def page(self, query: dict[str, Any]) -> Page:
        """One page.

        Args:
            query: as the server takes it: `multi_last`, or `seq`, `next_by_subj` and `batch`.

        Raises:
            TimeoutError: no answer within the budget.
            BusLostError: the connection is closed for good.
            RefusedError: we may not read this stream.
        """
        deadline = time.monotonic() + self._budget_s
        while True:
            try:
                page = await self._once(query)
            except _LOST as error:
                if self._client.is_closed:
                    raise BusLostError("the connection to the bus is closed") from error
                check_refused(self._client, direct_get(self._stream)[0])
                if time.monotonic() > deadline:
                    raise TimeoutError(
                        f"the bus did not answer a read in {self._budget_s:.0f} s"
                    ) from error
            else:
                if page.status in {_END, _EMPTY, TOO_MANY}:
                    return page
                if time.monotonic() > deadline:
                    raise TimeoutError(f"the bus answers a read with status {page.status}")
            await asyncio.sleep(_PAUSE_S)

    async def leader_has(self, subject: str) -> bool:
        """Whether the stream's leader has anything on a subject filter.

        Raises:
            TimeoutError: no answer within the budget.
            BusLostError: the connection is closed for good.
        """
        return await leader_has(self._client, self._js, self._stream, subject, self._budget_s)

    async def _once(self, query: dict[str, Any]) -> Page:
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox)
        messages: list[Msg] = []
        try:
            asked, _ = direct_get(self._stream)
            await self._client.publish(asked, json.dumps(query).encode(), reply=inbox)
            while True:
                message = await subscription.next_msg(timeout=self._timeout_s)
                headers = message.headers or {}
                status = headers.get("Status")
                if status is not None:
                    return Page(
                        messages,
                        status,
                        int(headers.get("Nats-UpTo-Sequence", 0)),
                        int(headers.get("Nats-Num-Pending", 0)),
                    )
                messages.append(message)
        finally:
            if not self._client.is_closed:
                await subscription.unsubscribe()


async def leader_has(
    client: Client, js: JetStreamContext, stream: str, subject: str, budget_s: float
) -> bool:
    """Whether a stream's leader has anything on a subject filter; raises as `DirectGet` does."""
    deadline = time.monotonic() + budget_s
    while True:
        try:
            info = await js.stream_info(stream, subjects_filter=subject)
        except _LOST as error:
            if client.is_closed:
                raise BusLostError("the connection to the bus is closed") from error
            check_refused(client, stream_info(stream))
            if time.monotonic() > deadline:
                said = f"the leader of {stream} did not answer in {budget_s:.0f} s"
                raise TimeoutError(said) from error
            await asyncio.sleep(_PAUSE_S)
        else:
            return bool(info.state.subjects)
