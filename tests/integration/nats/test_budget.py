"""Racing for the last call of a budget on the real server."""

import asyncio

import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_runtime.budget import Exhausted, Purse, Reserved
from ragsolver_runtime.connect import connect
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader

pytestmark = pytest.mark.connected


async def take(publisher, reader, who, problem_id="a", cap=20):
    return await Purse(
        publisher,
        reader,
        run_id="r1",
        problem_id=problem_id,
        cap=cap,
        source=f"planner/{who}",
    ).reserve("planner", "plan")


async def test_of_twenty_racing_writers_each_call_goes_to_one(bus):
    others = [await connect(bus.settings.bus, f"writer-{n}") for n in range(20)]
    try:
        results = await asyncio.gather(
            *(take(Publisher(c), EventReader(c), n, cap=7) for n, c in enumerate(others))
        )
    finally:
        for client in others:
            await client.close()
    taken = sorted(r.call for r in results if isinstance(r, Reserved))
    assert taken == list(range(1, 8))
    assert [r for r in results if isinstance(r, Exhausted)] == [Exhausted(7)] * 13
    stored = await bus.reader.read_problem("r1", "a")
    assert sorted(event.data.call for event in stored) == taken


async def test_problems_have_budgets_of_their_own(bus):
    assert await take(bus.publisher, bus.reader, "x", "a", cap=1) == Reserved(1)
    assert await take(bus.publisher, bus.reader, "x", "a", cap=1) == Exhausted(1)
    assert await take(bus.publisher, bus.reader, "x", "b", cap=1) == Reserved(1)
    assert await take(bus.publisher, bus.reader, "x", "c", cap=0) == Exhausted(0)


async def test_a_reservation_names_who_took_it(bus):
    await take(bus.publisher, bus.reader, "host-1")
    (event,) = await bus.reader.read_problem("r1", "a")
    assert event.data == LlmReserved(call=1, agent="planner", purpose="plan")
    assert event.source == "planner/host-1"
