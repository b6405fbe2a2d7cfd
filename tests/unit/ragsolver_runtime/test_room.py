import asyncio
from types import SimpleNamespace

import pytest
from nats.errors import TimeoutError as NatsTimeoutError

from ragsolver_runtime import room
from ragsolver_runtime.room import until_full
from ragsolver_runtime.testing import until


class Stream:
    """What the server says of a stream."""

    def __init__(self, most, used):
        self.most, self.used, self.last, self.looks = most, used, 1, 0
        self.away = 0

    async def stream_info(self, name):
        self.looks += 1
        if self.away:
            self.away -= 1
            raise NatsTimeoutError
        state = SimpleNamespace(bytes=self.used, last_seq=self.last)
        return SimpleNamespace(config=SimpleNamespace(max_bytes=self.most), state=state)


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(room, "_LOOK_EVERY_S", 0.001)
    monkeypatch.setattr(room, "_PATIENCE_S", 0.01)


async def test_a_stream_that_stays_full_is_said_with_what_to_do(caplog):
    stream = Stream(1_000_000, 999_000)
    stream.away = 2
    async with asyncio.timeout(5):
        said = await until_full(stream)
    assert "999000 of 1000000" in said
    assert "solve --resume" in said
    assert [record.levelname for record in caplog.records] == ["CRITICAL"]


@pytest.mark.parametrize("stream", [Stream(1_000_000, 900_000), Stream(-1, 10**12)])
async def test_a_stream_with_room_is_never_full(stream):
    looking = asyncio.create_task(until_full(stream))
    await until(lambda: stream.looks > 30)
    assert not looking.done()
    looking.cancel()


async def test_a_full_stream_that_still_takes_something_is_waited_for():
    stream = Stream(1_000_000, 999_000)
    looking = asyncio.create_task(until_full(stream))
    for _ in range(30):
        stream.last += 1
        looks = stream.looks
        await until(lambda looks=looks: stream.looks > looks, every_s=0.0)
    assert not looking.done()
    looking.cancel()
