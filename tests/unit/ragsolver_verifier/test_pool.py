import asyncio
import threading

import pytest

from ragsolver_verifier.errors import NoSessionError, SessionDiedError, SessionStoppedError
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings, StartSettings
from suites.scripted_lean import ScriptedSession, honest


class Factory:
    """Starts scripted sessions and remembers them; warming up fails or waits as a test says."""

    def __init__(self, failures=0):
        self.started = []
        self.failures = failures
        self.warmed = 0
        self.may_warm = threading.Event()
        self.may_warm.set()

    def start(self):
        self.started.append(ScriptedSession(honest))
        return self.started[-1]

    def warm(self, session):
        self.may_warm.wait(20)
        if self.failures:
            self.failures -= 1
            raise SessionDiedError("no answer")
        self.warmed += 1

    def pool(self, *, tries=3, delay_s=0.0, **settings):
        starts = StartSettings(tries, delay_s, delay_s)
        return SessionPool(self.start, self.warm, PoolSettings(**settings, starts=starts))


def ask(session):
    session.ask({"op": "names"}, timeout_s=1)
    return session


def die(session):
    session.close()
    raise SessionDiedError("gone")


async def until(condition):
    for _ in range(2_000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come true")


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


@pytest.mark.parametrize(
    ("settings", "wear"),
    [
        ({"recycle_checks": 1}, lambda _: None),
        ({"recycle_mb": 500}, lambda session: setattr(session, "size_mb", 600.0)),
    ],
)
async def test_a_worn_session_works_until_its_replacement_is_warm(settings, wear):
    factory = Factory()
    async with factory.pool(sessions=1, **settings) as pool:
        factory.may_warm.clear()
        old = await pool.use(ask)
        wear(old)
        assert await pool.use(ask) is old
        assert await pool.use(ask) is old, "nobody waits for the replacement"
        factory.may_warm.set()
        await until(lambda: factory.warmed == 2)
        await until(lambda: old.closed)
        assert await pool.use(ask) is factory.started[1]
        assert pool.tally.recycles == 1
    assert all(s.closed for s in factory.started)


async def test_a_leased_session_with_a_replacement_is_closed_when_it_comes_back():
    factory = Factory()
    working, go_on = threading.Event(), threading.Event()

    def work(session):
        working.set()
        go_on.wait(20)
        assert not session.closed

    async with factory.pool(sessions=1, recycle_checks=1) as pool:
        factory.may_warm.clear()
        old = await pool.use(ask)
        task = asyncio.create_task(pool.use(work))
        await asyncio.to_thread(working.wait, 20)
        factory.may_warm.set()
        assert await pool.use(lambda session: session) is factory.started[1]
        go_on.set()
        await task
        await until(lambda: old.closed)


async def test_what_the_work_raises_comes_back_and_a_dead_session_does_not():
    factory = Factory()
    async with factory.pool(sessions=1) as pool:
        with pytest.raises(SessionDiedError, match="gone"):
            await pool.use(die)
        await pool.use(ask)
        assert (pool.tally.deaths, pool.tally.starts) == (1, 2)
    assert factory.started[1].requests == 1


async def test_a_session_that_died_idle_is_not_leased():
    factory = Factory()
    async with factory.pool(sessions=1) as pool:
        factory.started[0].alive = False
        assert await pool.use(ask) is factory.started[1]


async def test_nobody_waits_for_a_replacement_while_a_session_is_left():
    factory = Factory()
    async with factory.pool(sessions=2) as pool:
        await until(lambda: factory.warmed == 2)
        factory.may_warm.clear()
        with pytest.raises(SessionDiedError):
            await pool.use(die)
        left = await pool.use(ask)
        assert left.alive
        factory.may_warm.set()


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


async def test_a_cancelled_waiter_loses_no_session():
    factory = Factory()
    async with factory.pool(sessions=1) as pool:
        session = await pool._take()
        waiting = asyncio.create_task(pool.use(ask))
        await asyncio.sleep(0)
        pool._give_back(session)
        waiting.cancel()  # it has been given the session, and has not yet run
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await pool.use(ask) is session


async def test_starts_that_fail_are_repeated_in_the_background():
    factory = Factory(failures=2)
    async with factory.pool(sessions=1) as pool:
        await pool.use(ask)
        assert pool.tally.failed_starts == 2
    assert all(s.closed for s in factory.started)


async def test_no_session_at_all_is_an_error_after_some_tries():
    factory = Factory(failures=1000)
    with pytest.raises(NoSessionError, match=r"3 starts in a row failed.*no answer"):
        async with factory.pool(sessions=1, delay_s=0.05):
            pass
    assert all(s.closed for s in factory.started)
    assert len(factory.started) < 10, "starts that fail are not repeated without a pause"


async def test_with_none_left_whoever_waits_is_told_and_later_served():
    factory = Factory()
    async with factory.pool(sessions=1, delay_s=0.02) as pool:
        factory.failures = 5
        with pytest.raises(SessionDiedError):
            await pool.use(die)
        with pytest.raises(NoSessionError):
            await pool.use(ask)
        await until(lambda: factory.warmed == 2)
        await until(lambda: not pool._hopeless)
        await pool.use(ask)


async def test_closing_kills_everything_and_refuses_those_who_wait():
    factory = Factory()
    working = threading.Event()

    def work(session):
        working.set()
        while session.alive:
            threading.Event().wait(0.01)

    async with factory.pool(sessions=1) as pool:
        busy = asyncio.create_task(pool.use(work))
        await asyncio.to_thread(working.wait, 20)
        waiting = asyncio.create_task(pool.use(ask))
        await asyncio.sleep(0.01)
    await busy
    with pytest.raises(SessionStoppedError):
        await waiting
    with pytest.raises(SessionStoppedError):
        await pool.use(ask)
    assert all(s.closed for s in factory.started)


async def test_closing_during_a_start_and_a_pause_leaves_nothing():
    factory = Factory(failures=1)
    pool = factory.pool(sessions=2, delay_s=600.0)
    async with pool:
        await until(lambda: pool.tally.failed_starts == 1)
    assert all(s.closed for s in factory.started)


async def test_a_cancelled_close_still_closes():
    factory = Factory()
    pool = factory.pool(sessions=2)
    await pool.__aenter__()
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert all(s.closed for s in factory.started)


async def test_a_cancelled_opening_leaves_nothing():
    factory = Factory()
    factory.may_warm.clear()
    opening = asyncio.create_task(factory.pool(sessions=1).__aenter__())
    await until(lambda: factory.started)
    opening.cancel()
    factory.may_warm.set()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert all(s.closed for s in factory.started)


async def test_the_tally_counts_sessions_that_are_gone_and_those_at_work():
    def with_header(session):
        ask(session)
        session.header_hits, session.header_misses = 3, 1

    factory = Factory()
    async with factory.pool(sessions=1) as pool:
        await pool.use(with_header)
        with pytest.raises(SessionDiedError):
            await pool.use(die)
        await pool.use(ask)
        tally = pool.tally
    assert (tally.requests, tally.header_hits, tally.header_misses) == (2, 3, 1)
    assert pool.tally.requests == 2
