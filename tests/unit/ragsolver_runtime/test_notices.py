import asyncio

import pytest

from ragsolver_contracts.subjects import cancel_notice
from ragsolver_runtime.notices import CancelNotices
from suites.fake_bus import FakeClient


async def test_a_notice_wakes_who_waits_for_that_problem_only():
    client = FakeClient()
    async with CancelNotices(client) as notices:
        mine = asyncio.create_task(notices.cancelled("r1", "Ä"))
        other = asyncio.create_task(notices.cancelled("r1", "b"))
        await asyncio.sleep(0)
        await client.publish(cancel_notice("r1", "Ä"))
        await asyncio.wait_for(mine, 1)
        assert not other.done()
        other.cancel()
    assert client.subscriptions == []


async def test_a_notice_that_came_first_is_remembered():
    client = FakeClient()
    async with CancelNotices(client) as notices:
        await client.publish(cancel_notice("r1", "a"))
        await asyncio.wait_for(notices.cancelled("r1", "a"), 1)


async def test_only_so_many_are_remembered(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.notices._KEPT", 2)
    client = FakeClient()
    async with CancelNotices(client) as notices:
        for name in ("a", "b", "c"):
            await client.publish(cancel_notice("r1", name))
        await asyncio.wait_for(notices.cancelled("r1", "c"), 1)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(notices.cancelled("r1", "a"), 0.01)
