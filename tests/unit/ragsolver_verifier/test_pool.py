import asyncio
import threading

import pytest

from ragsolver_verifier.errors import LeanFailureError, SessionDiedError
from ragsolver_verifier.pool import PoolSettings, SessionPool
from suites.scripted_lean import ScriptedSession, honest


class Factory:
    """Starts scripted sessions and remembers them; `broken` ones do not warm up."""

    def __init__(self, broken=0):
        self.started = []
        self.broken = broken

    def start(self):
        self.started.append(ScriptedSession(honest))
        return self.started[-1]

    def warm(self, session):
        if self.started.index(session) < self.broken:
            raise SessionDiedError("no answer")

    def pool(self, **settings):
        return SessionPool(self.start, self.warm, PoolSettings(**settings))


def ask(session):
    return session.ask({"op": "names"}, timeout_s=1)


async def test_sessions_are_used_again():
    factory = Factory()
    async with factory.pool(sessions=1) as pool:
        for _ in range(3):
            await pool.use(ask)
    assert [s.requests for s in factory.started] == [3]


async def test_leases_are_exclusive():
    factory = Factory()
    inside = []

    def work(session):
        inside.append(session)
        assert inside.count(session) == 1
        ask(session)
        inside.remove(session)

    async with factory.pool(sessions=2) as pool:
        await asyncio.gather(*(pool.use(work) for _ in range(20)))
    assert sum(s.requests for s in factory.started) == 20


async def test_a_worn_session_is_replaced():
    factory = Factory()
    async with factory.pool(sessions=1, recycle_checks=2) as pool:
        for _ in range(4):
            await pool.use(ask)
    assert [s.requests for s in factory.started][:2] == [2, 2]
    assert all(s.closed for s in factory.started)


async def test_a_large_session_is_replaced():
    factory = Factory()
    async with factory.pool(sessions=1, recycle_mb=500) as pool:
        await pool.use(lambda session: setattr(session, "size_mb", 600.0))
        await pool.use(ask)
    assert [s.requests for s in factory.started][:2] == [0, 1]


async def test_what_the_work_raises_comes_back_and_a_dead_session_does_not():
    factory = Factory()

    def die(session):
        session.close()
        raise SessionDiedError("gone")

    async with factory.pool(sessions=1) as pool:
        with pytest.raises(SessionDiedError, match="gone"):
            await pool.use(die)
        await pool.use(ask)
    assert factory.started[1].requests == 1


async def test_cancelling_kills_the_session_and_ends_its_thread():
    factory = Factory()
    began, ended = threading.Event(), threading.Event()

    def work(session):
        began.set()
        while session.alive:
            threading.Event().wait(0.01)
        ended.set()

    async with factory.pool(sessions=1) as pool:
        task = asyncio.create_task(pool.use(work))
        await asyncio.to_thread(began.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()
        await pool.use(ask)


async def test_a_start_that_fails_is_raised_once_and_tried_again():
    factory = Factory(broken=1)
    with pytest.raises(LeanFailureError, match="no answer"):
        async with factory.pool(sessions=1):
            pass
    factory = Factory()
    async with factory.pool(sessions=1, recycle_checks=1) as pool:
        factory.broken = 2
        await pool.use(ask)
        with pytest.raises(SessionDiedError):
            await pool.use(ask)
        await pool.use(ask)


async def test_closing_kills_everything():
    factory = Factory()
    async with factory.pool(sessions=3) as pool:
        await pool.use(ask)
    assert all(s.closed for s in factory.started)
