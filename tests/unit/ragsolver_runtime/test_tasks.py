import asyncio
import sys

import pytest

from ragsolver_runtime.tasks import end


async def test_a_task_that_misses_a_cancel_is_cancelled_again() -> None:
    missed = 0

    async def stubborn() -> None:
        nonlocal missed
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                missed += 1
                if missed == 3:
                    raise

    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0)
    await end(task, again_s=0.01)
    assert task.cancelled()
    assert missed == 3


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="fixed in Python 3.12")
async def test_what_wait_for_swallows_is_the_reason() -> None:
    news = asyncio.Event()

    async def follow() -> None:
        while True:
            news.clear()
            await asyncio.wait_for(news.wait(), 3600)

    task = asyncio.create_task(follow())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    news.set()
    await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=0.05)
    assert not done, "the cancel came together with the news and was swallowed"
    await end(task, again_s=0.01)
    assert task.cancelled()


async def test_what_has_ended_stays_as_it_is_and_errors_are_not_raised() -> None:
    async def fails() -> None:
        raise ValueError

    done, failed = asyncio.create_task(asyncio.sleep(0, 7)), asyncio.create_task(fails())
    await asyncio.wait({done, failed})
    await end(done, failed)
    assert done.result() == 7
    assert isinstance(failed.exception(), ValueError)
