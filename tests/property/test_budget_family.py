"""Behaviour contract `budget`, its part on child problems: contracts/behaviour/budget.yaml."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from property.test_budget import FAULTS, YIELDS, RacyClient
from ragsolver_contracts.account import account
from ragsolver_contracts.events import parse_event
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.budget import Purse, Reserved
from ragsolver_runtime.publish import Publisher, PublishSettings
from ragsolver_runtime.read import EventReader, ReadSettings
from ragsolver_runtime.testing import said

SLOW = settings(deadline=None, max_examples=40)
CAPS = st.integers(0, 8)


class Family:
    """Problems over one stream: `p`, its children, and theirs."""

    def __init__(self, client, cap):
        self.client = client
        self.caps = {"p": cap}
        self.made = 0
        self.publisher = Publisher(client, PublishSettings(pause_s=0.0, budget_s=5.0))
        self.reader = EventReader(client, ReadSettings(budget_s=5.0))

    def purse(self, name, who="one"):
        return Purse(
            self.publisher,
            self.reader,
            run_id="r1",
            problem_id=name,
            cap=self.caps[name],
            source=f"critic/{who}",
        )

    async def call(self, name):
        taken = await self.purse(name).reserve("planner", "plan")
        self.made += isinstance(taken, Reserved)
        return taken

    async def open(self, parent, number, calls):
        child = f"{parent}.a1.h{number}"
        granted = await self.purse(parent).grant(child, calls, "critic")
        self.caps.setdefault(child, granted)
        return child

    async def close(self, parent, number):
        child = f"{parent}.a1.h{number}"
        used = await self.purse(child).settle("critic")
        closed = HoleClosed(
            attempt=1,
            hole_id=f"h{number}",
            child_id=child,
            outcome=Outcome.NOT_PROVED,
            llm_calls=used,
        )
        await self.publisher.publish(said(closed, "r1", parent))
        return used

    def account(self, name):
        events = [parse_event(message.data) for message in self.client.js.messages]
        return account(event.data for event in events if event.problem_id == name)


async def live(family, name, plan, depth=0):
    """A problem that calls, opens children that live as well, and closes some of them."""
    for number, (calls, granted, ends) in enumerate(plan, start=1):
        for _ in range(calls):
            await family.call(name)
        if depth < 2 and granted:
            child = await family.open(name, number, granted)
            running = asyncio.create_task(live(family, child, plan[number:], depth + 1))
            if ends:  # in the middle of its work
                await asyncio.sleep(0)
                await family.close(name, number)
            await running
    for _ in range(3):
        await family.call(name)


PLANS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 4), st.booleans()), min_size=1, max_size=4
)


@SLOW
@given(CAPS, PLANS, YIELDS, FAULTS)
def test_a_family_never_makes_more_calls_than_its_root_may(cap, plan, yields, faults):
    async def run():
        family = Family(RacyClient(yields, faults), cap)
        await live(family, "p", plan)
        return family

    family = asyncio.run(run())
    assert family.made <= cap
    for name, allowed in family.caps.items():
        assert family.account(name).taken <= allowed


@SLOW
@given(CAPS, st.lists(st.integers(0, 5), min_size=1, max_size=5), YIELDS, FAULTS)
def test_a_child_is_granted_once(cap, wishes, yields, faults):
    async def run():
        family = Family(RacyClient(yields, faults), cap)
        told = await asyncio.gather(
            *(family.purse("p", n).grant("c", k, "critic") for n, k in enumerate(wishes))
        )
        return family, told

    family, told = asyncio.run(run())
    granted = {calls for calls in told if calls}
    assert len(granted) <= 1
    assert family.account("p").taken == sum(granted) <= cap
    if cap and all(wishes):
        assert len(set(told)) == 1


@SLOW
@given(CAPS, st.integers(0, 5), st.integers(1, 4), YIELDS, FAULTS)
def test_nothing_is_taken_of_a_settled_account(cap, calls, closers, yields, faults):
    async def run():
        family = Family(RacyClient(yields, faults), cap)
        calling = [asyncio.create_task(family.call("p")) for _ in range(calls)]
        told = await asyncio.gather(
            *(family.purse("p", n).settle("critic") for n in range(closers))
        )
        await asyncio.gather(*calling)
        after = await family.call("p")
        return family, told, after

    family, told, after = asyncio.run(run())
    assert not isinstance(after, Reserved)
    assert set(told) == {family.made}
    assert family.account("p").taken == cap
    assert family.account("p").used == family.made
