"""Worker and publisher while the server hangs, the stream is full, acks are lost, or two race."""

import asyncio
import os
import signal
from collections import Counter
from dataclasses import replace

import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_work import ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.testing import problem
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.connect import connect
from ragsolver_runtime.delivery import BusDelivery
from ragsolver_runtime.errors import DriftError
from ragsolver_runtime.publish import Publisher, PublishSettings, Stored
from ragsolver_runtime.settle import ConsumeSettings
from ragsolver_runtime.streams import EVENTS, StreamSettings, provision
from ragsolver_runtime.testing import (
    app_settings,
    isolated_server,
    running_worker,
    said,
    scripted_worker,
    start_run,
    submit_problem,
    until,
)

pytestmark = pytest.mark.connected

NAMES = [f"p{number}" for number in range(30)]


async def one_reservation(context, case, trigger):
    await asyncio.sleep(0.01)
    return [LlmReserved(call=1, agent="echo", purpose="test")]


def echo(decide=one_reservation, **limits):
    return scripted_worker(decide, emits=(LlmReserved,), **limits)


async def settled(js, role="echo"):
    info = await js.consumer_info(EVENTS, role)
    return info.num_pending == 0 and info.num_ack_pending == 0


async def test_a_server_that_hangs_longer_than_a_publish_waits_loses_and_doubles_nothing(bus):
    impatient = PublishSettings(timeout_s=0.3)
    settings = replace(bus.settings, publish=impatient)
    publisher, results = Publisher(bus.client, impatient), []

    async def submit_all():
        for name in NAMES:
            event = said(ProblemSubmitted(problem=problem(name)), "r1", name)
            results.append(await publisher.publish(event))

    async with running_worker(echo(concurrency=2, ack_wait_s=1.0), settings):
        submitting = asyncio.create_task(submit_all())
        await until(lambda: len(results) >= 10, every_s=0.001)
        os.kill(bus.server.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(1.5)  # also longer than the worker's heartbeats are waited for
            assert len(results) < len(NAMES)
        finally:
            os.kill(bus.server.pid, signal.SIGCONT)
        await submitting
        await until(lambda: settled(bus.js))
    assert all(isinstance(result, Stored) for result in results)
    for name in NAMES:
        assert await bus.names(name) == ["problem_submitted", "llm_reserved"]
    assert await bus.doubled() == []


async def test_work_on_a_full_stream_says_so_and_goes_on_once_there_is_room(caplog):
    small = StreamSettings(events_max_bytes=20_000)
    async with isolated_server() as server:
        settings = app_settings(
            server.url,
            streams=small,
            consume=ConsumeSettings(first_delay_s=0.1, longest_delay_s=0.5),
            pull_timeout_s=0.5,
        )
        client = await connect(settings.bus, "test")
        js = client.jetstream(timeout=5)
        await provision(js, small)
        publisher = Publisher(client)
        await start_run(publisher, "r1")
        for name in NAMES[:16]:
            await submit_problem(publisher, "r1", problem(name))
        async with running_worker(echo(max_deliver=50), settings):
            await until(lambda: "raise the stream's max_bytes" in caplog.text)
            stream = await js.stream_info(EVENTS)
            stream.config.max_bytes = 200_000
            await js.update_stream(stream.config)
            await until(lambda: settled(js))
            info = await js.stream_info(EVENTS, subjects_filter="rs.v1.>")
        await client.close()
    kinds = Counter[str]()
    for subject, count in info.state.subjects.items():
        kinds[subject.split(".")[2]] += count
    assert kinds == {"run_started": 1, "problem_submitted": 16, "llm_reserved": 16}


async def test_a_delivery_whose_ack_is_lost_is_not_doubled_after_the_dedup_window(monkeypatch):
    window = StreamSettings(duplicate_window_s=0.1)
    lost, deliveries = [], []
    acknowledge = BusDelivery.ack

    async def lose_the_first(self):
        deliveries.append(self.number)
        if self.number == 1:
            lost.append(self.sequence)
            return
        await acknowledge(self)

    monkeypatch.setattr(BusDelivery, "ack", lose_the_first)
    async with isolated_server() as server:
        settings = app_settings(server.url, streams=window, pull_timeout_s=0.5)
        client = await connect(settings.bus, "test")
        js = client.jetstream(timeout=5)
        await provision(js, window)
        publisher = Publisher(client)
        await start_run(publisher, "r1")
        await submit_problem(publisher, "r1", problem("a"))
        async with running_worker(echo(ack_wait_s=0.6), settings):
            await until(lambda: bool(lost))
            await until(lambda: settled(js))
            info = await js.stream_info(EVENTS, subjects_filter="rs.v1.llm_reserved.>")
        await client.close()
    assert deliveries == [1, 2]
    assert sum(info.state.subjects.values()) == 1


async def test_replicas_that_race_on_a_join_store_it_once(bus):
    """Both parts are there before anybody looks, so each replica sees the join complete."""
    decided = Counter()

    async def join(context, case, trigger):
        if len(case.payloads(LlmReserved)) < 2:
            return []
        decided[case.problem_id] += 1
        goal = Subgoal(subgoal_id="s1", statement_nl="all of it", search_queries=("zero",))
        return [ProblemPlanned(plan=1, subgoals=(goal,))]

    spec = scripted_worker(
        join, role="joiner", triggers=(LlmReserved,), emits=(ProblemPlanned,), concurrency=2
    )
    for name in NAMES:
        trigger = await bus.submit(name)
        for call in (1, 2):
            part = LlmReserved(call=call, agent="echo", purpose="test")
            await bus.publisher.publish(said(part, "r1", name, cause=trigger))
    async with running_worker(spec, bus.settings), running_worker(spec, bus.settings):
        await until(lambda: settled(bus.js, "joiner"))
    for name in NAMES:
        assert (await bus.names(name)).count("problem_planned") == 1
    assert await bus.doubled() == []
    assert max(decided.values()) == 2, "nobody raced"


async def test_a_worker_does_not_start_on_a_stream_that_drifted(bus):
    info = await bus.js.stream_info(EVENTS)
    info.config.discard = "old"
    await bus.js.update_stream(info.config)
    with pytest.raises(DriftError, match=f"stream {EVENTS}: discard is 'old', declared"):
        await run_worker(echo(), bus.settings, signals=False)


async def test_an_event_that_no_decision_survives_is_one_dead_letter_and_the_others_go_on(bus):
    async def decide(context, case, trigger):
        if case.problem_id == "p3":
            raise ValueError("a shape that nobody thought of")
        return await one_reservation(context, case, trigger)

    async with running_worker(echo(decide, max_deliver=2), bus.settings):
        for name in NAMES[:6]:
            await bus.submit(name)
        await until(lambda: settled(bus.js))
    (failed,) = [
        event.data
        for event in await bus.reader.read_problem("r1", "p3")
        if isinstance(event.data, WorkFailed)
    ]
    assert (failed.error, failed.deliveries) == ("ValueError", 2)
    for name in (*NAMES[:3], *NAMES[4:6]):
        assert await bus.names(name) == ["problem_submitted", "llm_reserved"]
