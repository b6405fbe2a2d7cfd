"""One delivery as the consume path sees it, and its heartbeat."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from faststream.nats import NatsMessage
from nats import errors as nats_errors

from ragsolver_runtime.tasks import end

_log = logging.getLogger(__name__)

_ACK_PAUSES_S = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Pauses after unconfirmed acks; together longer than a restart of the server."""


class Delivery(Protocol):
    """A message handed out by a durable consumer."""

    @property
    def body(self) -> bytes:
        """Content as stored."""

    @property
    def subject(self) -> str:
        """NATS subject."""

    @property
    def number(self) -> int:
        """1 for the first delivery of the message."""

    @property
    def sequence(self) -> int:
        """Place in the stream."""

    async def ack(self) -> None:
        """Done: never deliver it again."""

    async def nak(self, delay_s: float) -> None:
        """Not done: deliver it again after a delay."""

    async def term(self) -> None:
        """Can never be done: never deliver it again."""

    async def in_progress(self) -> None:
        """Still at work: do not deliver it to another."""


class BusDelivery:
    """A delivery that FastStream received; settling it never raises.

    If the bus is away, the message stays unsettled and is delivered again, which is safe.
    """

    def __init__(self, message: NatsMessage) -> None:
        self._message = message
        metadata = message.raw_message.metadata
        self.number = int(metadata.num_delivered or 1)
        self.sequence = int(metadata.sequence.stream)
        self.subject = message.raw_message.subject
        self.body: bytes = message.raw_message.data

    async def ack(self) -> None:
        """Done, and confirmed by the server: an ack lost in a restart would come back as work."""
        failed: Exception | None = None
        for pause_s in _ACK_PAUSES_S:
            try:
                await self._message.ack_sync()
            except (nats_errors.Error, TimeoutError, OSError) as error:
                failed = error
                await asyncio.sleep(pause_s)
            else:
                return
        if failed is not None:
            self._unsettled("ack", failed)

    async def nak(self, delay_s: float) -> None:
        """Not done; again after `delay_s`."""
        try:
            await self._message.nack(delay=delay_s)
        except (nats_errors.Error, OSError) as error:
            self._unsettled("nak", error)

    async def term(self) -> None:
        """Can never be done."""
        try:
            await self._message.reject()
        except (nats_errors.Error, OSError) as error:
            self._unsettled("term", error)

    async def in_progress(self) -> None:
        """Still at work."""
        try:
            await self._message.in_progress()
        except (nats_errors.Error, OSError) as error:
            self._unsettled("heartbeat", error)

    def _unsettled(self, what: str, error: Exception) -> None:
        _log.warning("%s of stream message %d was not sent: %r", what, self.sequence, error)


@asynccontextmanager
async def heartbeat(delivery: Delivery, every_s: float) -> AsyncIterator[None]:
    """Send `in_progress` every `every_s` seconds for as long as the block runs."""

    async def _beat() -> None:
        while True:
            await asyncio.sleep(every_s)
            await delivery.in_progress()

    beating = asyncio.create_task(_beat(), name="heartbeat")
    try:
        yield
    finally:
        await end(beating)
