"""Storing an event exactly once, whatever happens around it."""

import asyncio
import json
import os
import signal
from datetime import timedelta

import pytest

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.testing import problem
from ragsolver_runtime.connect import connect
from ragsolver_runtime.errors import StorageFullError, SubjectConflictError
from ragsolver_runtime.notices import CancelNotices
from ragsolver_runtime.publish import Duplicate, Publisher, PublishSettings, Stored
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.streams import BLOB_STREAM, EVENTS, StreamSettings, provision
from ragsolver_runtime.testing import app_settings, isolated_server, said, start_run, until
from ragsolver_runtime.wire import StoredEvent

pytestmark = pytest.mark.connected


async def test_the_same_decision_is_stored_once_and_the_first_one_stays(bus):
    first = await bus.submit("a")
    later = first.model_copy(update={"time": first.time + timedelta(seconds=5)})
    result = await bus.publisher.publish(later)
    assert isinstance(result, Duplicate)
    assert await bus.reader.read_problem("r1", "a") == [first]


async def test_a_duplicate_is_refused_after_a_restart_and_outside_the_window(tmp_path):
    event = said(ProblemSubmitted(problem=problem("a")), "r1", "a")
    window = StreamSettings(duplicate_window_s=0.1)
    async with isolated_server(tmp_path) as server:
        client = await connect(app_settings(server.url).bus, "test")
        await provision(client.jetstream(), window)
        stored = await Publisher(client).publish(event)
        await client.close()
    await asyncio.sleep(0.2)
    async with isolated_server(tmp_path) as server:
        client = await connect(app_settings(server.url).bus, "test")
        again = await Publisher(client).publish(event)
        info = await client.jetstream().stream_info(EVENTS)
        await client.close()
    assert again == Duplicate(stored.sequence)
    assert info.state.messages == 1


async def test_a_foreign_message_on_an_events_subject_is_a_conflict(bus):
    event = said(ProblemSubmitted(problem=problem("a")), "r1", "a")
    await bus.js.publish(subject_of(event), b"mine")
    with pytest.raises(SubjectConflictError, match="somebody else"):
        await bus.publisher.publish(event)


async def test_a_large_payload_travels_by_reference_and_comes_back_whole(bus):
    long = problem("a", informal_statement="x" * 1_500_000)
    event = said(ProblemSubmitted(problem=long), "r1", "a")
    await bus.publisher.publish(event)
    raw = await bus.js.get_msg(EVENTS, subject=subject_of(event), direct=True)
    assert len(raw.data) < 2_000
    assert b'"dataref"' in raw.data
    assert await bus.reader.read_problem("r1", "a") == [event]
    assert isinstance(await bus.publisher.publish(event), Duplicate)


async def test_a_damaged_large_payload_is_reported_not_believed(bus):
    event = said(
        ProblemSubmitted(problem=problem("a", informal_statement="x" * 600_000)), "r1", "a"
    )
    await bus.publisher.publish(event)
    chunk = await bus.js.get_msg(BLOB_STREAM, seq=1)
    other = await bus.js.publish("$O.RS_BLOBS.C.other", chunk.data[:-1] + b"y")
    name = await bus.js.get_msg(BLOB_STREAM, seq=other.seq - 1)
    about = json.loads(name.data) | {"nuid": "other"}
    await bus.js.publish(name.subject, json.dumps(about).encode())
    (stored,) = await bus.reader.stored_of_problem("r1", "a")
    assert not isinstance(stored, StoredEvent)
    assert stored.problems[0][0] == "/dataref"
    assert "other content" in stored.problems[0][1]


async def test_a_full_stream_is_a_clear_refusal_and_loses_nothing():
    async with isolated_server() as server:
        client = await connect(app_settings(server.url).bus, "test")
        await provision(client.jetstream(), StreamSettings(events_max_bytes=20_000))
        publisher, kept = Publisher(client, PublishSettings(budget_s=2.0)), []

        async def fill() -> None:
            for number in range(100):
                event = said(ProblemSubmitted(problem=problem(f"p{number}")), "r1", f"p{number}")
                await publisher.publish(event)
                kept.append(event)

        with pytest.raises(StorageFullError, match="max_bytes"):
            await fill()
        read = [event async for event in EventReader(client).read_run("r1")]
        await client.close()
    assert len(kept) > 5
    assert read == kept


async def test_killing_the_server_in_the_middle_neither_loses_nor_doubles(bus):
    names = [f"p{number}" for number in range(300)]
    done = 0

    async def publish_all() -> list[Stored | Duplicate]:
        nonlocal done
        results = []
        for name in names:
            event = said(ProblemSubmitted(problem=problem(name)), "r1", name)
            results.append(await bus.publisher.publish(event))
            done += 1
        return results

    publishing = asyncio.create_task(publish_all())
    for kills, kill_at in enumerate((60, 150), start=1):
        await until(lambda at=kill_at: done >= at, every_s=0.001)
        os.kill(bus.server.pid, signal.SIGKILL)
        await until(lambda count=kills: bus.server.restarts == count)
    results = await publishing
    stored = [event.problem_id async for event in bus.reader.read_run("r1")]
    assert all(isinstance(result, Stored) for result in results)
    assert stored == ["_run", *names]


async def test_two_publishers_of_one_decision_agree_on_one_event(bus):
    other = await connect(bus.settings.bus, "other")
    try:
        event = said(ProblemSubmitted(problem=problem("a")), "r1", "a")
        rival = event.model_copy(update={"time": event.time + timedelta(seconds=1)})
        results = await asyncio.gather(
            bus.publisher.publish(event), Publisher(other).publish(rival)
        )
    finally:
        await other.close()
    assert sorted(type(result).__name__ for result in results) == ["Duplicate", "Stored"]
    assert len(await bus.reader.read_problem("r1", "a")) == 1


async def test_terminal_events_are_noticed_at_once(bus):
    await start_run(bus.publisher, "r2")
    async with CancelNotices(bus.client) as notices:
        await bus.publisher.publish(said(ProblemCancelled(requested_by="me"), "r1", "a"))
        await asyncio.wait_for(notices.cancelled("r1", "a"), 5)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(notices.cancelled("r2", "a"), 0.05)
