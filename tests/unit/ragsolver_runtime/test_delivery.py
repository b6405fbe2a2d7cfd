import asyncio
from types import SimpleNamespace

import pytest
from nats.errors import ConnectionClosedError

from ragsolver_runtime.delivery import BusDelivery, heartbeat
from ragsolver_runtime.testing import until


class Message:
    """What FastStream hands over."""

    def __init__(self, fault=None):
        self.fault = fault
        self.calls = []
        self.raw_message = SimpleNamespace(
            data=b"body",
            subject="s",
            metadata=SimpleNamespace(num_delivered=2, sequence=SimpleNamespace(stream=9)),
        )

    async def _call(self, *what):
        self.calls.append(what)
        if self.fault:
            raise self.fault

    async def ack_sync(self):
        await self._call("ack")

    async def nack(self, delay):
        await self._call("nack", delay)

    async def reject(self):
        await self._call("reject")

    async def in_progress(self):
        await self._call("in_progress")


async def test_a_delivery_is_settled_through_its_message():
    message = Message()
    delivery = BusDelivery(message)
    assert (delivery.body, delivery.subject, delivery.number, delivery.sequence) == (
        b"body",
        "s",
        2,
        9,
    )
    await delivery.ack()
    await delivery.nak(1.5)
    await delivery.term()
    await delivery.in_progress()
    assert message.calls == [("ack",), ("nack", 1.5), ("reject",), ("in_progress",)]


async def test_an_unconfirmed_ack_is_sent_again(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.delivery._ACK_PAUSES_S", (0.0, 0.0))
    message = Message(TimeoutError())
    acking = asyncio.create_task(BusDelivery(message).ack())
    await until(lambda: bool(message.calls), every_s=0.0)
    message.fault = None
    await acking
    assert message.calls == [("ack",), ("ack",)]


@pytest.mark.parametrize("settle", ["ack", "term", "in_progress"])
async def test_a_bus_that_is_away_leaves_the_message_unsettled(settle, caplog, monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.delivery._ACK_PAUSES_S", (0.0, 0.0))
    delivery = BusDelivery(Message(ConnectionClosedError()))
    await getattr(delivery, settle)()
    await delivery.nak(1.0)
    assert "message 9" in caplog.text


async def test_the_heartbeat_runs_for_as_long_as_the_work():
    message = Message()
    async with heartbeat(BusDelivery(message), 0.001):
        await until(lambda: len(message.calls) >= 3, every_s=0.001)
    beats = len(message.calls)
    await asyncio.sleep(0.01)
    assert len(message.calls) == beats
    assert set(message.calls) == {("in_progress",)}


async def test_the_heartbeat_ends_with_an_error_of_the_work():
    message = Message()
    with pytest.raises(ValueError, match="work"):
        async with heartbeat(BusDelivery(message), 0.001):
            raise ValueError("work")
    await asyncio.sleep(0.01)
    assert message.calls == []
