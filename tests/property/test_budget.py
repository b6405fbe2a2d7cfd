"""Behaviour contract `budget`: contracts/behaviour/budget.yaml."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from nats.errors import TimeoutError as NatsTimeoutError

from ragsolver_contracts.account import account
from ragsolver_contracts.events import parse_event
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_runtime.budget import Exhausted, Purse, Reserved, next_call
from ragsolver_runtime.publish import Publisher, PublishSettings
from ragsolver_runtime.read import EventReader, ReadSettings
from suites.fake_bus import FakeClient


class RacyClient(FakeClient):
    """Yields to the other writers before every request, as often as the example says."""

    def __init__(self, yields, faults):
        super().__init__()
        self.yields = list(yields)
        self.js.faults = [
            (None, True) if fault == "none" else (NatsTimeoutError(), fault == "answer lost")
            for fault in faults
        ]
        store = self.js.publish

        async def publish(*args, **kwargs):
            await self.pause()
            return await store(*args, **kwargs)

        self.js.publish = publish

    async def pause(self):
        for _ in range(self.yields.pop() if self.yields else 0):
            await asyncio.sleep(0)

    async def publish(self, *args, **kwargs):
        await self.pause()
        await super().publish(*args, **kwargs)

    @property
    def stored(self):
        return [parse_event(m.data).data.call for m in self.js.messages]


YIELDS = st.lists(st.integers(0, 4), max_size=60)
FAULTS = st.lists(st.sampled_from(["none", "request lost", "answer lost"]), max_size=12)
WRITERS = st.integers(1, 7)
CAPS = st.integers(0, 5)


async def reserve(client, who, cap):
    return await Purse(
        Publisher(client, PublishSettings(pause_s=0.0, budget_s=5.0)),
        EventReader(client, ReadSettings(budget_s=5.0)),
        run_id="r1",
        problem_id="a",
        cap=cap,
        source=f"planner/{who}",
    ).reserve("planner", "plan")


def race(writers, cap, yields, faults):
    """Everything that the writers were told, and everything that is stored."""

    async def run():
        client = RacyClient(yields, faults)
        told = await asyncio.gather(*(reserve(client, n, cap) for n in range(writers)))
        return told, client.stored

    return asyncio.run(run())


@given(st.sets(st.integers(1, 30)), st.integers(0, 30))
def test_next_call_is_fresh_and_exists_exactly_below_the_cap(taken, cap):
    reserved = (LlmReserved(call=call, agent="planner", purpose="plan") for call in taken)
    call = next_call(account(reserved), cap)
    assert (call is None) == (len(taken) >= cap)
    if call is not None:
        assert call not in taken
        assert all(call > other for other in taken)


@settings(deadline=None, max_examples=60)
@given(WRITERS, CAPS, YIELDS, FAULTS)
def test_never_above_the_cap_whatever_fails(writers, cap, yields, faults):
    _, stored = race(writers, cap, yields, faults)
    assert len(stored) == len(set(stored)) <= cap


@settings(deadline=None, max_examples=60)
@given(WRITERS, CAPS, YIELDS, FAULTS)
def test_no_call_is_granted_twice(writers, cap, yields, faults):
    told, stored = race(writers, cap, yields, faults)
    granted = [result.call for result in told if isinstance(result, Reserved)]
    assert len(granted) == len(set(granted))
    assert set(granted) == set(stored)


@settings(deadline=None, max_examples=60)
@given(WRITERS, CAPS, YIELDS, FAULTS)
def test_exhausted_only_when_it_is(writers, cap, yields, faults):
    told, _ = race(writers, cap, yields, faults)
    assert sum(isinstance(result, Reserved) for result in told) == min(writers, cap)
    assert all(result.taken >= cap for result in told if isinstance(result, Exhausted))


@settings(deadline=None, max_examples=60)
@given(WRITERS, CAPS, YIELDS, FAULTS, st.lists(st.integers(0, 25), max_size=4))
def test_a_writer_that_dies_spends_at_most_its_own_call(writers, cap, yields, faults, deaths):
    async def run():
        client = RacyClient(yields, faults)
        tasks = [asyncio.create_task(reserve(client, n, cap)) for n in range(writers)]
        for victim, steps in enumerate(deaths[:writers]):
            for _ in range(steps):
                await asyncio.sleep(0)
            tasks[victim].cancel()
        told = await asyncio.gather(*tasks, return_exceptions=True)
        return told, client.stored

    told, stored = asyncio.run(run())
    granted = [result.call for result in told if isinstance(result, Reserved)]
    died = sum(isinstance(result, asyncio.CancelledError) for result in told)
    assert len(stored) == len(set(stored)) <= cap
    assert set(granted) <= set(stored)
    assert len(stored) - len(granted) <= died
