"""What a worker does with errors, poison and a bus that goes away, on the real server."""

import asyncio
import itertools
import json
import os
import signal
from collections import Counter

import pytest

from ragsolver_contracts import subjects
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted, WorkFailed
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.errors import PermanentError
from ragsolver_runtime.process import EXIT_BUS_LOST
from ragsolver_runtime.streams import EVENTS
from ragsolver_runtime.testing import running_worker, said, scripted_worker, until

pytestmark = pytest.mark.connected


def reservations(count):
    """Payloads that stand for any decision."""
    return [LlmReserved(call=n, agent="echo", purpose="test") for n in range(1, count + 1)]


def echo(decide, **limits):
    return scripted_worker(decide, emits=(LlmReserved,), **limits)


async def failures(bus, problem_id):
    events = await bus.reader.read_problem("r1", problem_id)
    return [event.data for event in events if isinstance(event.data, WorkFailed)]


async def settled(bus, role="echo"):
    info = await bus.js.consumer_info(EVENTS, role)
    return info.num_pending == 0 and info.num_ack_pending == 0


async def test_work_beyond_its_bound_is_stopped_and_buried(bus):
    async def decide(context, case, trigger):
        await asyncio.sleep(60)

    async with running_worker(echo(decide, max_work_s=0.2, max_deliver=2), bus.settings):
        await bus.submit("a")
        await until(lambda: settled(bus))
    (failed,) = await failures(bus, "a")
    assert (failed.error, failed.deliveries) == ("TimeoutError", 2)


async def test_delays_between_deliveries_grow_and_the_last_error_is_buried(bus):
    times = []

    async def decide(context, case, trigger):
        times.append(asyncio.get_running_loop().time())
        raise OSError(f"no luck {len(times)}")

    async with running_worker(echo(decide, max_deliver=4), bus.settings):
        trigger = await bus.submit("a")
        await until(lambda: settled(bus))
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(gaps) == 3
    assert [gap >= least for gap, least in zip(gaps, (0.1, 0.2, 0.4), strict=True)] == [True] * 3
    (failed,) = await failures(bus, "a")
    assert failed == WorkFailed(
        failed_role="echo",
        trigger_id=trigger.id,
        trigger_type=trigger.type,
        stage="handle",
        error="OSError",
        message="no luck 4",
        deliveries=4,
    )


async def test_a_permanent_error_is_buried_at_once(bus):
    async def decide(context, case, trigger):
        raise PermanentError("never")

    async with running_worker(echo(decide), bus.settings):
        await bus.submit("a")
        await until(lambda: settled(bus))
    (failed,) = await failures(bus, "a")
    assert (failed.message, failed.deliveries) == ("never", 1)


async def test_an_event_that_the_worker_may_not_emit_is_refused(bus):
    async def decide(context, case, trigger):
        return [ProblemCancelled(requested_by="a worker")]

    async with running_worker(echo(decide), bus.settings):
        await bus.submit("a")
        await until(lambda: settled(bus))
    assert await bus.names("a") == ["problem_submitted", "work_failed"]


async def test_a_poisoned_event_is_recorded_with_its_pointer_and_the_worker_lives_on(bus):
    async def decide(context, case, trigger):
        return reservations(1)

    good = said(ProblemSubmitted(problem=(await bus.submit("b")).data.problem), "r1", "b")
    broken = json.loads(good.to_json())
    broken |= {"subject": "r1/a", "data": {"problem": {"problem_id": 7}}}
    for number, poison in enumerate((json.dumps(broken).encode(), b"\xff not json")):
        subject = subjects.event_subject("problem_submitted", "r1", "a", f"{number:032x}")
        await bus.js.publish(subject, poison)
    async with running_worker(echo(decide), bus.settings):
        await bus.submit("c")
        await until(lambda: settled(bus))
    first, second = await failures(bus, "a")
    messages = f"{first.message} {second.message}"
    assert {first.stage, second.stage} == {"decode"}
    assert "/data/problem/problem_id" in messages
    assert "not JSON" in messages
    assert await bus.names("c") == ["problem_submitted", "llm_reserved"]


async def test_a_deleted_consumer_ends_the_process_with_an_error(bus):
    async def decide(context, case, trigger):
        return []

    ready = asyncio.Event()
    running = asyncio.create_task(
        run_worker(echo(decide), bus.settings, on_ready=ready.set, signals=False)
    )
    await ready.wait()
    await bus.js.delete_consumer(EVENTS, "echo")
    assert await asyncio.wait_for(running, 20) == EXIT_BUS_LOST


async def test_a_run_that_was_never_started_is_a_dead_letter(bus):
    async def decide(context, case, trigger):
        return []

    await bus.submit("a")
    event = await bus.reader.read_problem("r1", "a")
    await bus.publisher.publish(said(event[0].data, "r9", "a"))
    async with running_worker(echo(decide), bus.settings):
        await until(lambda: settled(bus))
    (failed,) = [e.data for e in await bus.reader.read_problem("r9", "a")][1:]
    assert "no run_started" in failed.message


async def test_work_goes_on_after_the_server_was_killed(bus):
    runs = Counter()

    async def decide(context, case, trigger):
        runs[case.problem_id] += 1
        await asyncio.sleep(0.02)
        return reservations(1)

    names = [f"p{number}" for number in range(40)]
    async with running_worker(echo(decide, concurrency=2, ack_wait_s=2.0), bus.settings):
        for name in names:
            await bus.submit(name)
        os.kill(bus.server.pid, signal.SIGKILL)
        await until(lambda: bus.server.restarts == 1)
        await until(lambda: settled(bus))
    for name in names:
        assert await bus.names(name) == ["problem_submitted", "llm_reserved"]
    assert await bus.doubled() == []
