"""Reading one problem among many events, and a run as it grows."""

import asyncio
import json

import pytest

from ragsolver_contracts import subjects
from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemCancelled
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.testing import said, start_run, submit_problem
from ragsolver_runtime.wire import InvalidStored, StoredEvent

pytestmark = pytest.mark.connected


def reservation(call: int, problem_id: str):
    return said(LlmReserved(call=call, agent="planner", purpose="plan"), "r1", problem_id)


async def fill(bus, problem_id: str, count: int) -> None:
    """Store many events of one problem quickly, without the publisher's guards."""
    events = [reservation(call, problem_id) for call in range(1, count + 1)]
    acks = [await bus.js.publish_async(subject_of(e), e.to_json()) for e in events]
    await asyncio.gather(*acks)


async def test_one_problem_is_folded_among_many_events(bus):
    await fill(bus, "noise", 2000)
    await bus.submit("a")
    await fill(bus, "more-noise", 500)
    await bus.publisher.publish(said(ProblemCancelled(requested_by="me"), "r1", "a"))
    case = await bus.reader.load_case("r1", "a")
    assert [event.name for event in case.events.values()] == [
        "problem_cancelled",
        "problem_submitted",
    ]
    assert case.outcome is Outcome.CANCELLED


async def test_a_problem_with_more_events_than_one_request_returns_is_paged(bus):
    await fill(bus, "big", 1500)
    events = await bus.reader.read_problem("r1", "big")
    assert [event.data.call for event in events] == list(range(1, 1501))


async def test_names_that_share_a_prefix_or_case_stay_apart(bus):
    for name in ("a", "A", "a-b", "ä"):
        await bus.submit(name)
    for name in ("a", "A", "a-b", "ä"):
        (event,) = await bus.reader.read_problem("r1", name)
        assert event.problem_id == name


async def test_the_run_configuration_is_required_and_comes_with_the_case(bus):
    await start_run(bus.publisher, "r2", RunConfig(budget=Budget(llm_calls=3)))
    await submit_problem(bus.publisher, "r2", problem("a"))
    await submit_problem(bus.publisher, "r3", problem("a"))
    assert (await bus.reader.load_case("r2", "a")).config.budget.llm_calls == 3
    with pytest.raises(PermanentError, match="'r3' has no run_started"):
        await bus.reader.load_case("r3", "a")


async def test_an_invalid_stored_message_is_reported_and_the_rest_is_read(bus):
    good = await bus.submit("a")
    broken = json.loads(good.to_json())
    broken["data"]["problem"].pop("name")
    subject = subjects.event_subject("problem_submitted", "r1", "a", "f" * 32)
    await bus.js.publish(subject, json.dumps(broken).encode())
    stored = await bus.reader.stored_of_problem("r1", "a")
    assert [type(item) for item in stored] == [StoredEvent, InvalidStored]
    assert stored[1].problems[0][0] == "/data/problem/name"
    assert await bus.reader.read_problem("r1", "a") == [good]


async def test_following_a_run_gives_history_then_what_comes(bus):
    await bus.submit("a")
    seen: list[str] = []
    followed = bus.reader.follow_run("r1")
    async for stored in followed:
        seen.append(stored.event.problem_id)
        if len(seen) == 2:
            await bus.submit("b")
        if len(seen) == 3:
            break
    await followed.aclose()
    assert seen == ["_run", "a", "b"]


async def test_a_read_waits_for_the_sequence_that_it_must_include(bus):
    await bus.submit("a")
    info = await bus.js.stream_info("RS_EVENTS")
    wanted = info.state.last_seq + 1
    reading = asyncio.create_task(bus.reader.stored_of_problem("r1", "a", at_least=wanted))
    await asyncio.sleep(0.1)
    assert not reading.done()
    await bus.publisher.publish(said(ProblemCancelled(requested_by="me"), "r1", "a"))
    assert len(await asyncio.wait_for(reading, 5)) == 2
