"""Behaviour contract `limits`: contracts/behaviour/limits.yaml."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragsolver_contracts.llm import Usage
from ragsolver_runtime.llm import limits
from ragsolver_runtime.llm.limits import SharedTurns
from ragsolver_runtime.llm.settings import ModelSettings
from suites.limit_memory import Clock, MemoryLimits

_EPS = 1e-6


class RacyLimits(MemoryLimits):
    """Yields to others before every request, as often as the example says."""

    yields: tuple[int, ...] = ()

    async def _pause(self):
        self.yields, count = self.yields[1:], self.yields[0] if self.yields else 0
        for _ in range(count):
            await asyncio.sleep(0)

    async def put(self, *args):
        await self._pause()
        return await super().put(*args)

    async def keys(self, prefix):
        await self._pause()
        return await super().keys(prefix)


@pytest.fixture(autouse=True, scope="module")
def _quick():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "_FIRST_WAIT_S", 0.0002)
        patch.setattr(limits, "_LONGEST_WAIT_S", 0.0005)
        yield


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 3),
    st.lists(st.integers(0, 2), min_size=1, max_size=8),
    st.lists(st.integers(0, 3), max_size=60),
)
def test_never_more_at_once_than_slots_and_everybody_gets_one(concurrency, works, yields):
    held, most, served = 0, 0, 0

    async def _work(turns, steps):
        nonlocal held, most, served
        async with turns.turn():
            held, most = held + 1, max(most, held + 1)
            for _ in range(steps):
                await asyncio.sleep(0)
            held, served = held - 1, served + 1

    async def _all():
        store = RacyLimits()
        store.yields = tuple(yields)
        table = ModelSettings(provider="echo", concurrency=concurrency)
        processes = [SharedTurns(store, table, now=store.clock) for _ in range(3)]
        async with asyncio.timeout(20):
            await asyncio.gather(
                *(_work(processes[n % 3], steps) for n, steps in enumerate(works))
            )

    asyncio.run(_all())
    assert most <= concurrency
    assert served == len(works)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 200),
    st.lists(
        st.tuples(st.floats(0, 2), st.sampled_from([0.0, -30.0]), st.integers(1, 30)),
        min_size=1,
        max_size=60,
    ),
)
def test_a_rate_is_never_exceeded_by_more_than_its_burst(rate, steps):
    """Each step lets time pass; a worker asks a few times, whose clock may be behind."""

    async def _all():
        clock, store = Clock(), MemoryLimits()
        table = ModelSettings(provider="echo", requests_per_minute=rate)
        turns = SharedTurns(store, table, now=clock)
        started, now = clock.time, clock.time
        let_through = int(await turns._take_request())  # by the clock that is right
        for passed, behind, asks in steps:
            now += passed
            clock.time = now + behind
            for _ in range(asks):
                let_through += await turns._take_request()
                allowed = max(rate / 10, 1) + rate * (now - started) / 60
                assert let_through <= allowed + _EPS

    asyncio.run(_all())


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 100_000), st.integers(0, 300_000), st.floats(0, 1))
def test_tokens_that_are_owed_are_paid_back_first(rate, spent, share):
    async def _all():
        store = MemoryLimits()
        table = ModelSettings(provider="echo", tokens_per_minute=rate)
        turns = SharedTurns(store, table, now=store.clock)
        assert await turns._take_request()
        await turns.spend(Usage(input_tokens=spent))
        owed_s = (spent - max(rate / 10, 1)) * 60 / rate
        if owed_s <= 0.01:
            return
        store.clock.time += owed_s * share * 0.999
        assert not await turns._take_request()
        store.clock.time += owed_s * (1 - share * 0.999) + 0.01
        assert await turns._take_request()

    asyncio.run(_all())


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0.1, 200)), min_size=1, max_size=8),
    st.floats(1, 100),
)
def test_the_pause_that_ends_last_counts(pauses, longest):
    async def _all():
        store = MemoryLimits()
        table = ModelSettings(provider="echo", longest_delay_s=longest)
        turns = SharedTurns(store, table, now=store.clock)
        until = 0.0
        for passed, seconds in pauses:
            store.clock.time += passed
            await turns.pause(seconds)
            until = max(until, store.clock.time + min(seconds, longest))
        left = max(until - store.clock.time, 0)
        assert abs(await turns._blocked_s() - left) < 0.01

    asyncio.run(_all())
