import pytest

from ragsolver_contracts.account import Account
from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.testing import event
from ragsolver_runtime.budget import Exhausted, Outdated, Purse, Reserved, next_call
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from suites.fake_bus import FakeClient


@pytest.mark.parametrize(
    ("taken", "cap", "expected"),
    [((0, 1), 2, 1), ((1, 2), 2, 2), ((2, 3), 2, None), ((0, 1), 0, None), ((1, 3), 2, 3)],
)
def test_there_is_a_next_call_while_any_is_left(taken, cap, expected):
    assert next_call(Account(*taken), cap) == expected


async def take(client, cap=2):
    return await Purse(
        Publisher(client),
        EventReader(client),
        run_id="r1",
        problem_id="add_zero_nat",
        cap=cap,
        source="planner/one",
    ).reserve("planner", "plan")


async def test_calls_are_taken_in_order_until_none_is_left():
    client = FakeClient()
    taken = [await take(client) for _ in range(4)]
    assert taken == [Reserved(1), Reserved(2), Exhausted(2), Exhausted(2)]


async def test_a_rival_between_counting_and_taking_makes_us_count_again(monkeypatch):
    client = FakeClient()
    reader_type = EventReader
    rival = event(LlmReserved(call=1, agent="critic", purpose="p"), role="critic")
    counted = 0
    original = reader_type.stored_of_problem

    async def count_then_lose(self, *args, **kwargs):
        nonlocal counted
        result = await original(self, *args, **kwargs)
        counted += 1
        if counted == 1:
            await client.js.publish(subject_of(rival), rival.to_json())
        return result

    monkeypatch.setattr(reader_type, "stored_of_problem", count_then_lose)
    assert await take(client) == Reserved(2)
    assert counted == 2


async def test_a_call_is_taken_only_on_what_was_seen():
    client, reader = FakeClient(), EventReader(FakeClient())
    purse = Purse(Publisher(client), reader, "r1", "add_zero_nat", 1, "planner/one")
    assert await purse.reserve_on([], "planner", "plan") == Reserved(1)
    assert await purse.reserve_on([], "planner", "plan") == Outdated(1)
    seen = await EventReader(client).stored_of_problem("r1", "add_zero_nat")
    assert await purse.reserve_on(seen, "planner", "plan") == Exhausted(1)
