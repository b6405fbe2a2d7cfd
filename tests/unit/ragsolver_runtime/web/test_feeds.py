import asyncio

from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import event
from ragsolver_runtime.web.feed import FeedSettings, FeedState
from ragsolver_runtime.web.feeds import Feeds
from suites.memory_bus import MemoryBus
from suites.sample_run import RUN, sample_run


def started(run: str):
    return event(RunStarted(config=RunConfig(), config_digest="d"), run_id=run, problem_id="_run")


async def test_readers_of_a_run_share_one_feed() -> None:
    feeds = Feeds(MemoryBus(sample_run()).reader)
    first, second = await asyncio.gather(feeds.feed(RUN), feeds.feed(RUN))
    assert first is second is not None
    await feeds.settled(first, 5)
    assert first.state is FeedState.LIVE
    await feeds.close()
    assert first.closed


async def test_a_run_that_is_not_there_has_no_feed() -> None:
    feeds = Feeds(MemoryBus(sample_run()).reader)
    assert await feeds.feed("r9") is None
    await feeds.close()


async def test_the_run_asked_for_longest_ago_makes_room() -> None:
    bus = MemoryBus([started(f"r{n}") for n in range(3)])
    feeds = Feeds(bus.reader, FeedSettings(runs=2))
    first = await feeds.feed("r0")
    second = await feeds.feed("r1")
    assert await feeds.feed("r0") is first
    await feeds.feed("r2")
    assert second is not None
    assert second.closed
    assert first is not None
    assert not first.closed
    await feeds.close()
