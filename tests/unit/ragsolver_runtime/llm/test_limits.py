import asyncio

import pytest

from ragsolver_contracts.llm import LlmOutcome, LlmReply, Usage
from ragsolver_runtime.llm import limits
from ragsolver_runtime.llm.limits import NoLimits, SharedTurns
from ragsolver_runtime.llm.settings import ModelSettings
from suites.limit_memory import MemoryLimits

ANSWERED = LlmReply(outcome=LlmOutcome.ANSWERED)


@pytest.fixture
def store():
    return MemoryLimits()


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(limits, "_LONGEST_WAIT_S", 0.005)


def turns(store, **settings):
    return SharedTurns(store, ModelSettings(provider="echo", **settings), now=store.clock)


async def is_free(asked):
    """Whether a turn comes at once; it is given back."""

    async def _take():
        async with asked.turn():
            return

    taking = asyncio.create_task(_take())
    done, _ = await asyncio.wait({taking}, timeout=0.1)
    taking.cancel()
    await asyncio.wait({taking})
    return bool(done)


async def test_slots_are_shared_and_given_back(store):
    one, two = turns(store, concurrency=2), turns(store, concurrency=2)
    async with one.turn(), one.turn():
        assert not await is_free(two)
    assert await is_free(two)
    assert await store.keys(f"{one.scope}.slot") == set()


async def test_an_error_in_a_turn_frees_its_slot(store):
    asked = turns(store, concurrency=1)
    with pytest.raises(KeyError):
        async with asked.turn():
            raise KeyError
    assert await is_free(asked)


async def test_a_slot_is_kept_while_its_holder_lives_and_lost_when_not(store, monkeypatch):
    monkeypatch.setattr(limits, "_REFRESH_S", 0.01)
    asked = turns(store, concurrency=1)
    async with asked.turn():
        for _ in range(3):
            store.clock.time += limits.SLOT_TTL_S - 1
            await asyncio.sleep(0.05)
        assert not await is_free(turns(store, concurrency=1))
        store.clock.time += limits.SLOT_TTL_S + 1
        await asyncio.sleep(0.05)
        assert await is_free(turns(store, concurrency=1))
    assert await is_free(asked)


async def test_a_holder_that_dies_at_once_leaves_no_slot_behind(store):
    asked = turns(store, concurrency=1)
    async with asked.turn():  # not refreshed yet
        store.clock.time += limits.SLOT_TTL_S + 0.1
        assert await store.keys(f"{asked.scope}.slot") == set()


async def test_another_server_has_its_own_limits(store):
    async with turns(store, concurrency=1).turn():
        assert await is_free(turns(store, concurrency=1, base_url="http://other"))


@pytest.mark.parametrize("outcome", [LlmOutcome.RATE_LIMITED, LlmOutcome.OVERLOADED])
async def test_all_wait_as_long_as_a_server_asks(store, outcome):
    one, two = turns(store), turns(store)
    async with one.turn() as turn:
        await turn.settle(LlmReply(outcome=outcome, retry_after_s=30))
        await turn.settle(LlmReply(outcome=outcome, retry_after_s=5))
    assert not await is_free(two)
    store.clock.time += 29
    assert not await is_free(two)
    store.clock.time += 2
    assert await is_free(two)


@pytest.mark.parametrize(
    "reply",
    [
        LlmReply(outcome=LlmOutcome.RATE_LIMITED),
        LlmReply(outcome=LlmOutcome.ANSWERED, retry_after_s=30),
        LlmReply(outcome=LlmOutcome.RATE_LIMITED, retry_after_s=0),
    ],
)
async def test_nobody_waits_where_no_server_asks_for_it(store, reply):
    asked = turns(store)
    async with asked.turn() as turn:
        await turn.settle(reply)
    assert await is_free(asked)


async def test_a_server_cannot_stop_everybody_for_longer_than_the_longest_delay(store):
    asked = turns(store, longest_delay_s=10)
    await asked.pause(1_000_000)
    store.clock.time += 10.1
    assert await is_free(asked)


async def test_requests_per_minute(store):
    one, two = turns(store, requests_per_minute=20), turns(store, requests_per_minute=20)
    assert await is_free(one)
    assert await is_free(two)
    assert not await is_free(one)
    store.clock.time += 3.1
    assert await is_free(two)
    assert not await is_free(one)
    store.clock.time -= 100  # a clock that is behind makes nothing of it
    assert not await is_free(one)


async def test_tokens_per_minute_are_paid_back_before_the_next_call(store):
    asked = turns(store, tokens_per_minute=600)
    usage = Usage(input_tokens=100, output_tokens=250, cache_write_tokens=10)
    async with asked.turn() as turn:
        await turn.settle(ANSWERED.model_copy(update={"usage": usage}))
    assert not await is_free(asked)  # 60 - 360 = -300 tokens, filled at 10 per second
    store.clock.time += 29
    assert not await is_free(asked)
    store.clock.time += 2
    assert await is_free(asked)


async def test_reads_of_the_cache_are_not_counted(store):
    asked = turns(store, tokens_per_minute=600)
    async with asked.turn() as turn:
        usage = Usage(cache_read_tokens=100_000, output_tokens=1)
        await turn.settle(ANSWERED.model_copy(update={"usage": usage}))
    assert await is_free(asked)


async def test_waiting_ends_when_it_is_cancelled_and_the_next_one_is_served(store):
    asked = turns(store, concurrency=1)
    async with asked.turn():
        assert not await is_free(asked)
        assert not await is_free(asked)
    assert await is_free(asked)


async def test_a_lost_bus_does_not_lose_an_answer(store):
    asked = turns(store, tokens_per_minute=600)
    async with asked.turn() as turn:
        store.away = True
        await turn.settle(ANSWERED)
    store.away = False
    store.clock.time += limits.SLOT_TTL_S + 1
    assert await is_free(asked)


async def test_without_a_bus_nothing_is_limited():
    async with NoLimits().turn() as turn:
        await turn.settle(ANSWERED)
