import asyncio

from ragsolver_runtime.follow import follow, read_view
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.wire import InvalidStored
from suites.memory_bus import MemoryBus
from suites.recorded_progress import RecordedProgress
from suites.sample_run import RUN, sample_run


async def test_history_then_news_until_it_is_cancelled() -> None:
    events = sample_run()
    bus, view, progress = MemoryBus(events[:10]), RunView(RUN), RecordedProgress()
    changed = asyncio.Event()
    following = asyncio.create_task(follow(bus, view, progress, changed))
    await asyncio.wait_for(changed.wait(), 5)
    for event in events[10:]:
        await bus.publish(event)
    while view.finished is None:
        changed.clear()
        await asyncio.wait_for(changed.wait(), 5)
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)
    assert view == await read_view(bus, RUN)
    assert sorted(progress.problems) == sorted(view.problems)


class Broken(MemoryBus):
    """Holds one message that is no event."""

    async def follow_run(self, run_id: str, *, after: int = 0):
        yield InvalidStored(4, "rs.v1.x", (("/data", "field required"),))


async def test_an_invalid_stored_message_is_told_and_changes_nothing() -> None:
    view, progress = RunView(RUN), RecordedProgress()
    await follow(Broken(), view, progress, asyncio.Event())
    assert view == RunView(RUN)
    assert progress.notes == ["stored message 4 is not valid: /data field required"]
