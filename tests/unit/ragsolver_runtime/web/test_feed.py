import asyncio

import pytest

from ragsolver_runtime.errors import BusError
from ragsolver_runtime.tasks import end
from ragsolver_runtime.web.feed import FeedSettings, FeedState, RunFeed
from ragsolver_runtime.wire import InvalidStored
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run
from suites.web_world import fed, stored


async def test_a_feed_reads_what_is_stored_and_goes_on() -> None:
    events = sample_run()
    bus = MemoryBus(events[:10])
    feed = RunFeed(bus.reader, RUN, FeedSettings())
    following = asyncio.create_task(feed.run())
    async with asyncio.timeout(5):
        await feed.wait(9, FeedState.READING)
        assert feed.last == 10
        for event in events[10:]:
            await bus.publish(event)
        while feed.last < len(events):
            await feed.wait(feed.last, feed.state)
    assert feed.state is FeedState.LIVE
    assert feed.view.finished is not None
    assert [line.seq for line in feed.lines] == list(range(1, len(events) + 1))
    await end(following)


async def test_what_was_taken_before_changes_nothing() -> None:
    feed = fed()
    events = len(feed.lines)
    for item in stored(sample_run()):
        feed.take(item)
    assert len(feed.lines) == events
    assert feed.view.problems["hard"].candidates == 2


async def test_invalid_messages_have_a_line_and_no_effect() -> None:
    feed = fed()
    feed.take(InvalidStored(feed.last + 1, "s", ()))
    assert feed.lines[-1].name == "invalid"


@pytest.mark.parametrize("after", [0, 3, 20])
async def test_older_lines_are_read_from_the_stream(after: int) -> None:
    """A reader that is slower than the memory is long misses nothing."""
    feed = fed(kept=4)
    assert len(feed.lines) == 4
    got = [line.seq async for line in feed.after(after)]
    assert got == list(range(after + 1, feed.last + 1))


async def test_a_reader_slower_than_the_memory_asks_again_and_misses_nothing() -> None:
    events = sample_run()
    feed = RunFeed(MemoryBus(events).reader, RUN, FeedSettings(kept=2))
    for item in stored(events)[:4]:
        feed.take(item)
    got, rest = [], iter(stored(events)[4:])
    while not got or got[-1] < len(events):
        async for line in feed.after(got[-1] if got else 0):
            got.append(line.seq)
            for _ in range(3):  # the run is faster than this reader
                if (item := next(rest, None)) is not None:
                    feed.take(item)
    assert got == list(range(1, len(events) + 1))


async def test_a_bus_that_does_not_answer_is_asked_again() -> None:
    bus = MemoryBus(sample_run())
    feed = RunFeed(bus.reader, RUN, FeedSettings(again_s=0.01))
    whole, states = bus.stored_of_run, []

    def _failing(run_id: str, *, after: int = 0):
        states.append(feed.state)
        if len(states) < 3:
            raise BusError("away")
        return whole(run_id, after=after)

    bus.stored_of_run = _failing  # type: ignore[method-assign]
    following = asyncio.create_task(feed.run())
    async with asyncio.timeout(5):
        while feed.state is not FeedState.LIVE:
            await feed.wait(10**6, feed.state)
    assert states == [FeedState.READING, FeedState.LOST, FeedState.LOST]
    await end(following)


async def test_waiting_ends_with_the_feed() -> None:
    feed = fed()
    waiting = asyncio.create_task(feed.wait(feed.last, feed.state))
    await asyncio.sleep(0)
    assert not waiting.done()
    feed.close()
    async with asyncio.timeout(5):
        await waiting
