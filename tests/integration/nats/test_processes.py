"""Worker processes that die: by `kill -9`, by SIGTERM, and on every delivery."""

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest
from nats.js import api
from nats.js.errors import NotFoundError

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_runtime import child_process
from ragsolver_runtime.intake_app import run_intake
from ragsolver_runtime.streams import EVENTS
from ragsolver_runtime.testing import running_worker, scripted_worker, until

pytestmark = pytest.mark.connected

PROGRAM = Path(__file__).parents[2] / "suites" / "sleepy_worker.py"


async def spawn_sleepy(bus):
    """A worker process that starts a delivery and never ends it."""
    return await child_process.spawn([sys.executable, str(PROGRAM), bus.server.url])


async def in_work(bus) -> bool:
    try:
        info = await bus.js.consumer_info(EVENTS, "sleepy")
    except NotFoundError:
        return False
    return info.num_ack_pending == 1


async def finish(context, case, trigger):
    return [LlmReserved(call=1, agent="sleepy", purpose="test")]


def replica():
    return scripted_worker(finish, role="sleepy", emits=(LlmReserved,), ack_wait_s=2.0)


async def done(bus) -> bool:
    return await bus.names("a") == ["problem_submitted", "llm_reserved"]


async def test_a_killed_workers_delivery_goes_to_a_replica(bus):
    process = await spawn_sleepy(bus)
    await bus.submit("a")
    await until(lambda: in_work(bus))
    os.kill(process.pid, signal.SIGKILL)
    await process.wait()
    async with running_worker(replica(), bus.settings):
        await until(lambda: done(bus))


async def test_a_terminated_worker_hands_back_its_delivery_and_ends_well(bus):
    process = await spawn_sleepy(bus)
    await bus.submit("a")
    await until(lambda: in_work(bus))
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 20) == 0
    async with running_worker(replica(), bus.settings):
        await until(lambda: done(bus), timeout_s=10)


async def test_a_delivery_that_nobody_survives_becomes_a_dead_letter(bus):
    await bus.js.add_consumer(
        EVENTS,
        config=api.ConsumerConfig(
            durable_name="doomed",
            ack_policy=api.AckPolicy.EXPLICIT,
            ack_wait=0.2,
            max_deliver=2,
            filter_subjects=["rs.v1.problem_submitted.>"],
        ),
    )
    trigger = await bus.submit("a")
    assert isinstance(trigger.data, ProblemSubmitted)
    puller = await bus.js.pull_subscribe_bind(durable="doomed", stream=EVENTS)
    for _ in range(2):
        await puller.fetch(1, timeout=5)  # taken and never settled, as by a process that dies

    async def pull_and_look() -> bool:
        with contextlib.suppress(TimeoutError):
            await puller.fetch(1, timeout=0.2)
        return "work_failed" in await bus.names("a")

    stop, ready = asyncio.Event(), asyncio.Event()
    intake = asyncio.create_task(
        run_intake(bus.settings, stop=stop, on_ready=ready.set, signals=False)
    )
    await ready.wait()
    await until(pull_and_look)
    stop.set()
    await intake
    (failed,) = [
        e.data for e in await bus.reader.read_problem("r1", "a") if isinstance(e.data, WorkFailed)
    ]
    assert (failed.failed_role, failed.stage, failed.deliveries) == ("doomed", "deliver", 2)
    assert failed.trigger_id == trigger.id
