"""The limits of a model, shared by processes over the real server."""

import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from ragsolver_contracts.llm import LlmOutcome, LlmReply, Usage
from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.llm import limits
from ragsolver_runtime.llm.limit_store import JetStreamLimits
from ragsolver_runtime.llm.limits import ABSENT, SharedTurns
from ragsolver_runtime.llm.opening import open_turns
from ragsolver_runtime.llm.settings import ModelSettings
from ragsolver_runtime.testing import until
from suites import model_turns

pytestmark = pytest.mark.connected


async def test_a_key_is_replaced_only_at_its_revision_and_leaves_nothing_behind(bus):
    store = JetStreamLimits(bus.js)
    assert await store.get("a.slot.0") == ABSENT
    first = await store.put("a.slot.0", b"1", 0)
    assert await store.put("a.slot.0", b"2", 0) is None
    second = await store.put("a.slot.0", b"2", first)
    await store.put("b.slot.0", b"", 0)
    assert (await store.get("a.slot.0")).value == b"2"
    assert await store.keys("a.slot") == {"a.slot.0"}
    await store.drop(second)
    await store.drop(second)
    assert await store.get("a.slot.0") == ABSENT
    assert await store.keys("a.slot") == set()
    assert await store.put("a.slot.0", b"3", 0) is not None


async def test_a_key_with_a_time_to_live_goes_by_itself(bus):
    store = JetStreamLimits(bus.js)
    await store.put("a.slot.0", b"", 0, ttl_s=1)
    assert await store.keys("a.slot") == {"a.slot.0"}

    async def _gone():
        return not await store.keys("a.slot")

    await until(_gone)
    assert await store.put("a.slot.0", b"", 0, ttl_s=1) is not None


async def test_processes_never_ask_more_at_once_than_allowed(bus):
    """Three connections with eight requests each share three slots."""
    settings = ModelSettings(provider="echo", concurrency=3)
    clients = [await connect(BusSettings(url=bus.server.url), f"c{n}") for n in range(3)]
    at_once, most = 0, 0
    full = asyncio.Event()

    async def _ask(turns):
        nonlocal at_once, most
        async with turns.turn():
            at_once += 1
            most = max(most, at_once)
            if at_once == settings.concurrency:
                full.set()
            await full.wait()  # all slots are in use once, however slow the machine
            await asyncio.sleep(0.02)
            at_once -= 1

    async with asyncio.timeout(30):
        await asyncio.gather(
            *(
                _ask(turns)
                for turns in [open_turns(c, settings) for c in clients]
                for _ in range(8)
            )
        )
    assert most == settings.concurrency
    for client in clients:
        await client.close()


async def test_a_pause_that_a_server_asks_for_holds_for_everybody(bus):
    settings = ModelSettings(provider="echo")
    one, two = (open_turns(bus.client, settings) for _ in range(2))
    async with one.turn() as turn:
        await turn.settle(LlmReply(outcome=LlmOutcome.RATE_LIMITED, retry_after_s=1.0))
    waiting = asyncio.create_task(_take(two))
    done, _ = await asyncio.wait({waiting}, timeout=0.5)
    assert not done
    async with asyncio.timeout(10):
        await waiting


async def test_a_rate_is_shared(bus):
    settings = ModelSettings(provider="echo", requests_per_minute=10, tokens_per_minute=1000)
    one, two = (open_turns(bus.client, settings) for _ in range(2))
    async with one.turn() as turn:
        used = LlmReply(outcome=LlmOutcome.ANSWERED, usage=Usage(output_tokens=5000))
        await turn.settle(used)
    waiting = asyncio.create_task(_take(two))
    done, _ = await asyncio.wait({waiting}, timeout=0.5)
    assert not done
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    store = JetStreamLimits(bus.js)
    assert isinstance(one, SharedTurns)
    assert await store.keys(f"{one.scope}.slot") == set()


async def test_a_worker_whose_clock_is_hours_ahead_takes_nothing_from_the_others(bus, monkeypatch):
    settings = ModelSettings(provider="echo", requests_per_minute=6000)
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + 7200)
    ahead = open_turns(bus.client, settings)
    async with ahead.turn() as turn:
        paused = LlmReply(outcome=LlmOutcome.RATE_LIMITED, retry_after_s=0.5)
        await turn.settle(paused)
    monkeypatch.undo()
    others = open_turns(bus.client, settings)
    async with asyncio.timeout(10):
        for _ in range(12):  # more than the burst that the bucket begins with
            await _take(others)
    rate = await JetStreamLimits(bus.js).get(f"{others.scope}.rate")
    assert abs(json.loads(rate.value)["at"] - right()) < 60


async def test_a_slot_of_a_killed_process_is_free_within_seconds(bus):
    script = Path(model_turns.__file__)
    holder = await asyncio.create_subprocess_exec(
        sys.executable, str(script), bus.server.url, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert await holder.stdout.readline() == b"held\n"
        turns = open_turns(bus.client, model_turns.ONE)
        waiting = asyncio.create_task(_take(turns))
        # Longer than a slot lives: its holder keeps it.
        done, _ = await asyncio.wait({waiting}, timeout=limits.SLOT_TTL_S + 1)
        assert not done
    finally:
        holder.kill()
        await holder.wait()
    async with asyncio.timeout(limits.SLOT_TTL_S + 5):
        await waiting


async def _take(turns):
    async with turns.turn():
        return
