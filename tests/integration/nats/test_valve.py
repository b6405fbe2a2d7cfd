"""New problems on the real server wait while those in work have not got through."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace

import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.testing import problem
from ragsolver_runtime.streams import EVENTS, newcomers_durable, provision
from ragsolver_runtime.testing import running_worker, scripted_worker, submit_problem, until
from ragsolver_runtime.valve import ValveSettings

pytestmark = pytest.mark.connected

CALL = LlmReserved(call=1, agent="echo", purpose="test")
VALVE = ValveSettings(most=3, fewest=1, look_s=0.02, fresh_s=0.0)


async def pass_on(context, case, trigger):
    return [CALL]


def is_posted(event):
    return isinstance(event.data, ProblemSubmitted) and event.data.problem.parent is None


def opener():
    return scripted_worker(pass_on, role="opener", emits=(LlmReserved,), opens=is_posted)


class Slow:
    """A worker behind the opener that works while its gate is open."""

    def __init__(self):
        self.gate = asyncio.Event()
        self.done = 0
        self.spec = scripted_worker(self.decide, role="slow", triggers=(LlmReserved,))

    async def decide(self, context, case, trigger):
        await self.gate.wait()
        await asyncio.sleep(0.02)
        self.done += 1
        return []


async def waiting(bus, durable) -> int:
    return (await bus.js.consumer_info(EVENTS, durable)).num_pending or 0


async def test_a_slow_worker_holds_back_new_problems_until_it_has_caught_up(bus):
    slow, peak = Slow(), 0
    settings = replace(bus.settings, valve=VALVE)
    async with running_worker(slow.spec, settings), running_worker(opener(), settings):
        for number in range(30):
            await bus.submit(f"p{number}")
        await until(lambda: _more_than(bus, "slow", 3))
        await asyncio.sleep(0.3)  # one that was being taken comes through
        held = await waiting(bus, newcomers_durable("opener"))
        await asyncio.sleep(0.3)
        assert await waiting(bus, newcomers_durable("opener")) == held > 20
        assert await waiting(bus, "opener") == 0
        slow.gate.set()

        async def through() -> bool:
            nonlocal peak
            peak = max(peak, await waiting(bus, "slow"))
            return slow.done == 30

        await until(through)
    assert peak <= 5


async def _more_than(bus, durable, count) -> bool:
    return await waiting(bus, durable) > count


async def test_a_hole_of_a_problem_in_work_passes_a_closed_valve(bus):
    slow = Slow()
    settings = replace(bus.settings, valve=VALVE)
    async with running_worker(slow.spec, settings), running_worker(opener(), settings):
        for number in range(10):
            await bus.submit(f"p{number}")
        await until(lambda: _more_than(bus, "slow", 3))
        parent = Parent(problem_id="p0", ancestors=("p0",), attempt=1, hole_id="h1", llm_calls=0)
        child = problem("p0.h1").model_copy(update={"parent": parent})
        await submit_problem(bus.publisher, "r1", child)
        await until(lambda: _passed(bus, "p0.h1"))
        assert await bus.names("p9") == ["problem_submitted"]
        slow.gate.set()
        await until(lambda: _passed(bus, "p9"))


async def _passed(bus, name) -> bool:
    return await bus.names(name) == ["problem_submitted", "llm_reserved"]


async def test_a_backlog_that_nobody_works_on_holds_nothing_back(bus):
    await provision(bus.js, bus.settings.streams, [Slow().spec])
    settings = replace(bus.settings, valve=VALVE)
    async with running_worker(opener(), settings):
        for number in range(10):
            await bus.submit(f"p{number}")
        await until(lambda: _passed(bus, "p9"))
    assert await waiting(bus, "slow") == 10


async def test_what_an_older_version_left_undone_is_done_once_by_the_new_queue(bus):
    """The shared durable had settled a problem; the queue of new problems comes upon it."""
    old = scripted_worker(pass_on, role="opener", emits=(LlmReserved,))
    async with running_worker(old, bus.settings):
        await bus.submit("a")
        await until(lambda: _passed(bus, "a"))
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(running_worker(opener(), bus.settings))
        await bus.submit("b")
        await until(lambda: _passed(bus, "b"))
    assert await bus.names("a") == ["problem_submitted", "llm_reserved"]
