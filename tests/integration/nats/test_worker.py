"""Worker processes on the real server: exactly one decision per trigger, whatever goes wrong."""

import asyncio
from collections import Counter

import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import WorkFailed
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.cancel import cancel
from ragsolver_runtime.process import EXIT_OK
from ragsolver_runtime.streams import EVENTS, provision
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


async def test_a_decision_is_published_with_its_cause_and_its_author(bus):
    async def decide(context, case, trigger):
        assert case.problem is not None
        return reservations(2)

    async with running_worker(echo(decide), bus.settings):
        trigger = await bus.submit("a")
        await until(lambda: settled(bus))
    stored = await bus.reader.stored_of_problem("r1", "a")
    assert [s.event.name for s in stored] == ["problem_submitted", "llm_reserved", "llm_reserved"]
    assert [s.closes for s in stored] == [False, False, True]
    assert {s.event.causationid for s in stored[1:]} == {trigger.id}
    assert {s.event.role for s in stored[1:]} == {"echo"}


async def test_long_work_is_kept_by_heartbeats_and_runs_once(bus):
    runs = 0

    async def decide(context, case, trigger):
        nonlocal runs
        runs += 1
        await asyncio.sleep(4)
        return reservations(1)

    spec = echo(decide, ack_wait_s=1.0)
    async with running_worker(spec, bus.settings), running_worker(spec, bus.settings):
        await bus.submit("a")
        await until(lambda: settled(bus))
    assert runs == 1


async def test_two_replicas_share_the_work(bus):
    worked = Counter()

    async def decide(context, case, trigger):
        worked[context.instance] += 1
        await asyncio.sleep(0.05)
        return reservations(1)

    spec = echo(decide)
    async with running_worker(spec, bus.settings), running_worker(spec, bus.settings):
        for number in range(20):
            await bus.submit(f"p{number}")
        await until(lambda: settled(bus))
    assert sum(worked.values()) == 20
    assert len(worked) == 2
    assert min(worked.values()) >= 5


async def test_concurrency_holds_that_many_and_no_more(bus):
    now = most = 0

    async def decide(context, case, trigger):
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.05)
        now -= 1
        return []

    async with running_worker(echo(decide, concurrency=3), bus.settings):
        for number in range(12):
            await bus.submit(f"p{number}")
        await until(lambda: settled(bus))
    assert most == 3


async def test_a_delivery_whose_work_is_stored_is_not_worked_again(bus):
    runs = 0

    async def decide(context, case, trigger):
        nonlocal runs
        runs += 1
        return reservations(2)

    async with running_worker(echo(decide), bus.settings):
        await bus.submit("a")
        await until(lambda: settled(bus))
    await bus.js.delete_consumer(EVENTS, "echo")
    async with running_worker(echo(decide), bus.settings):
        await until(lambda: settled(bus))
    assert runs == 1


async def test_work_that_was_stored_in_part_is_completed(bus):
    async def decide(context, case, trigger):
        return reservations(3)

    trigger = await bus.submit("a")
    await bus.publisher.publish(said(reservations(1)[0], "r1", "a", cause=trigger))
    async with running_worker(echo(decide), bus.settings):
        await until(lambda: settled(bus))
    assert (await bus.names("a")).count("llm_reserved") == 3


async def test_a_cancelled_problem_stops_running_and_queued_work(bus):
    started = asyncio.Event()
    ended = []

    async def decide(context, case, trigger):
        started.set()
        try:
            await context.cancelled(case.run_id, case.problem_id)
        finally:
            ended.append(case.problem_id)
        return reservations(1)

    async with running_worker(echo(decide), bus.settings):
        await bus.submit("a")
        await started.wait()
        await bus.submit("b")
        assert await cancel(bus.publisher, bus.reader, "r1", None, by="me") == ["a", "b"]
        await until(lambda: settled(bus))
    assert ended == ["a"]
    assert "llm_reserved" not in await bus.names("b")
    assert await cancel(bus.publisher, bus.reader, "r1", "a", by="me") == []


async def test_a_stopping_worker_hands_its_work_to_a_replica(bus):
    started = asyncio.Event()

    async def slow(context, case, trigger):
        started.set()
        await asyncio.sleep(60)

    async def quick(context, case, trigger):
        return reservations(1)

    async with running_worker(echo(slow), bus.settings):
        await bus.submit("a")
        await started.wait()
    async with running_worker(echo(quick), bus.settings):
        await until(lambda: settled(bus), timeout_s=5)
    assert await bus.names("a") == ["problem_submitted", "llm_reserved"]


async def test_a_draining_worker_does_not_use_up_deliveries_of_waiting_work(bus):
    started = asyncio.Event()

    async def decide(context, case, trigger):
        started.set()
        await asyncio.sleep(0.8)
        return reservations(1)

    spec = echo(decide, concurrency=3)
    async with running_worker(spec, bus.settings):
        await bus.submit("long")
        await started.wait()
        stopping = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - stopping >= 0.5
    async with running_worker(spec, bus.settings):
        started.clear()
        for number in range(6):
            await bus.submit(f"p{number}")
        await started.wait()
    puller = await bus.js.pull_subscribe_bind(durable="echo", stream=EVENTS)
    waiting = await puller.fetch(10, timeout=2)
    assert 1 <= len(waiting) <= 5
    assert all(message.metadata.num_delivered <= 2 for message in waiting)


async def test_a_stopped_worker_ends_well(bus):
    async def decide(context, case, trigger):
        return []

    stop = asyncio.Event()
    running = asyncio.create_task(
        run_worker(echo(decide), bus.settings, stop=stop, on_ready=stop.set, signals=False)
    )
    assert await asyncio.wait_for(running, 20) == EXIT_OK


async def test_provisioning_is_shared_by_the_worker(bus):
    async def decide(context, case, trigger):
        return []

    spec = echo(decide)
    await provision(bus.js, workers=[spec])
    async with running_worker(spec, bus.settings):
        pass
