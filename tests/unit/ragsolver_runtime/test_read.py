import asyncio

import pytest

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted, RunStarted
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.errors import BusLostError, PermanentError
from ragsolver_runtime.read import EventReader, ReadSettings
from ragsolver_runtime.wire import CLOSES_HEADER, InvalidStored, StoredEvent
from suites.fake_bus import FakeClient

QUICK = ReadSettings(budget_s=0.3, page=3)
SUBMITTED = event(ProblemSubmitted(problem=problem()))
CONFIG = RunConfig(budget=Budget(llm_calls=3))


async def filled(*events, headers=None):
    client = FakeClient()
    for item in events:
        await client.js.publish(subject_of(item), item.to_json(), headers=headers)
    return client


def reservations(count):
    return [event(LlmReserved(call=n, agent="a", purpose="p")) for n in range(1, count + 1)]


def started(run_id="r1"):
    return event(RunStarted(config=CONFIG, config_digest="d"), run_id=run_id, problem_id=RUN_SCOPE)


async def test_a_problem_is_read_alone_and_in_order():
    other = event(ProblemSubmitted(problem=problem("other")), problem_id="other")
    client = await filled(SUBMITTED, other, *reservations(2))
    events = await EventReader(client, QUICK).read_problem("r1", "add_zero_nat")
    assert events == [SUBMITTED, *reservations(2)]


async def test_an_unknown_problem_has_no_events():
    client = await filled(SUBMITTED)
    assert await EventReader(client, QUICK).read_problem("r1", "nobody") == []


async def test_above_the_servers_limit_the_stream_is_paged():
    client = await filled(*reservations(10))
    client.limit = 5
    events = await EventReader(client, QUICK).read_problem("r1", "add_zero_nat")
    assert [e.data.call for e in events] == list(range(1, 11))


async def test_a_run_is_read_in_pages_from_any_sequence():
    client = await filled(*reservations(8))
    reader = EventReader(client, QUICK)
    sequences = [stored.sequence async for stored in reader.stored_of_run("r1", after=2)]
    assert sequences == [3, 4, 5, 6, 7, 8]
    assert [e.data.call async for e in reader.read_run("r1")] == list(range(1, 9))


async def test_the_case_has_the_runs_configuration_and_reads_it_once():
    client = await filled(started(), SUBMITTED)
    reader = EventReader(client, QUICK)
    assert (await reader.load_case("r1", "add_zero_nat")).config == CONFIG
    client.js.messages.pop(0)
    assert await reader.run_config("r1") == CONFIG


async def test_a_run_that_was_not_started_is_a_permanent_error():
    client = await filled(SUBMITTED)
    reader = EventReader(client, QUICK)
    assert await reader.run_started("r1") is None
    with pytest.raises(PermanentError, match="run_started"):
        await reader.load_case("r1", "add_zero_nat")


async def test_a_run_is_unknown_only_where_the_leader_says_so():
    client = await filled(started(), SUBMITTED)
    client.behind = [2, 2, 0]
    assert await EventReader(client, QUICK).run_config("r1") == CONFIG
    assert client.js.infos == 1
    assert await EventReader(client, QUICK).run_started("r2") is None


async def test_paged_events_of_a_replica_that_is_behind_are_not_believed():
    client = await filled(*reservations(10))
    client.limit, client.behind = 5, [3, 3, 3, 3, 0]
    stored = await EventReader(client, QUICK).stored_of_problem("r1", "add_zero_nat", at_least=10)
    assert [item.sequence for item in stored] == list(range(1, 11))


async def test_an_invalid_message_is_reported_beside_the_valid_ones():
    client = await filled(SUBMITTED)
    await client.js.publish("rs.v1.problem_planned.r1.add_zero_nat.x", b'{"type": "?"}')
    stored = await EventReader(client, QUICK).stored_of_problem("r1", "add_zero_nat")
    assert [type(item) for item in stored] == [StoredEvent, InvalidStored]
    assert stored[1].subject.endswith(".x")


async def test_the_mark_of_a_deliverys_last_event_is_read_back():
    client = await filled(SUBMITTED, headers={CLOSES_HEADER: "1"})
    (stored,) = await EventReader(client, QUICK).stored_of_problem("r1", "add_zero_nat")
    assert stored.closes


async def test_a_lost_answer_is_asked_for_again():
    client = await filled(SUBMITTED)
    client.silent = 1
    reader = EventReader(client, ReadSettings(budget_s=5))
    assert await reader.read_problem("r1", "add_zero_nat") == [SUBMITTED]


async def test_a_bus_that_stays_silent_is_a_timeout_and_a_closed_one_is_lost():
    client = await filled(SUBMITTED)
    client.silent = 1000
    with pytest.raises(TimeoutError, match="did not answer"):
        await EventReader(client, ReadSettings(budget_s=0.0)).read_problem("r1", "add_zero_nat")
    reading = asyncio.create_task(EventReader(client, QUICK).read_problem("r1", "add_zero_nat"))
    await asyncio.sleep(0)
    client.is_closed = True
    with pytest.raises(BusLostError):
        await reading


async def test_an_answer_that_lags_behind_is_not_believed():
    client = await filled(SUBMITTED)
    reader = EventReader(client, QUICK)
    with pytest.raises(TimeoutError, match="only up to 1, not 2"):
        await reader.stored_of_problem("r1", "add_zero_nat", at_least=2)


async def test_a_second_read_asks_only_for_what_is_new():
    client = await filled(SUBMITTED, *reservations(2))
    reader = EventReader(client, QUICK)
    before = await reader.read_problem("r1", "add_zero_nat")
    client.js.messages[0].data = b"never read again"
    (new,) = reservations(3)[2:]
    await client.js.publish(subject_of(new), new.to_json())
    assert await reader.read_problem("r1", "add_zero_nat") == [*before, new]
    stored = await reader.stored_of_problem("r1", "add_zero_nat", at_least=4)
    assert [item.sequence for item in stored] == [1, 2, 3, 4]


async def test_far_behind_everything_is_asked_for_and_known_events_are_not_parsed(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.read._NEAR", 0)
    client = await filled(SUBMITTED)
    reader = EventReader(client, QUICK)
    await reader.read_problem("r1", "add_zero_nat")
    client.js.messages[0].data = b"never parsed again"
    (new,) = reservations(1)
    await client.js.publish(subject_of(new), new.to_json())
    stored = await reader.stored_of_problem("r1", "add_zero_nat", at_least=2)
    assert [item.event for item in stored] == [SUBMITTED, new]


async def test_a_problem_with_an_invalid_message_is_read_afresh():
    client = await filled(SUBMITTED)
    await client.js.publish("rs.v1.problem_planned.r1.add_zero_nat.x", b"{}")
    reader = EventReader(client, QUICK)
    for _ in range(2):
        assert len(await reader.stored_of_problem("r1", "add_zero_nat")) == 2


async def test_following_gives_what_is_there_and_then_what_comes():
    client = await filled(SUBMITTED)
    seen = []
    followed = EventReader(client, QUICK).follow_run("r1")
    async for stored in followed:
        seen.append(stored.sequence)
        if len(seen) == 2:
            break
        (new,) = reservations(1)
        await client.js.publish(subject_of(new), new.to_json())
        await client.deliver(subject_of(new), new.to_json())
    await followed.aclose()
    assert seen == [1, 2]
    assert client.subscriptions == []
