"""Spans of a problem over intake and six workers on the real server, as a collector gets them."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.problem import ProblemInput
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.state import state_hash
from ragsolver_runtime.intake_app import run_intake
from ragsolver_runtime.submission import post_input
from ragsolver_runtime.telemetry.settings import TelemetrySettings
from ragsolver_runtime.testing import running_worker, scripted_worker, start_run, until
from suites.hosted_workers import hosted
from suites.otlp_receiver import collector

pytestmark = pytest.mark.connected

INPUT = ProblemInput(name="p1", formal_statement="theorem p1 : True := by sorry")


@asynccontextmanager
async def house(settings):
    """Intake and workers inside the block."""
    stop, ready = asyncio.Event(), asyncio.Event()
    running = asyncio.create_task(
        run_intake(settings, stop=stop, on_ready=ready.set, signals=False)
    )
    try:
        async with hosted(settings):
            await ready.wait()
            yield
    finally:
        stop.set()
        await running


async def solved(bus, settings, run_id):
    """The events of the problem, solved in a run of its own."""
    config = RunConfig()
    await start_run(bus.publisher, run_id, config)
    async with house(settings):
        reply = await post_input(bus.client, INPUT.model_dump_json().encode(), run_id=run_id)

        async def ended():
            events = await bus.reader.read_problem(run_id, reply.problem_id)
            return Case.fold(run_id, reply.problem_id, events, config).outcome is not None

        await until(ended)
    return await bus.reader.read_problem(run_id, reply.problem_id)


async def test_one_problem_is_one_tree_over_all_workers(bus):
    with collector() as collected:
        told = TelemetrySettings(otlp_endpoint=collected.url)
        events = await solved(bus, replace(bus.settings, telemetry=told), "r2")
    assert collected.paths == {"/v1/traces"}
    spans = {span.span: span for span in collected.spans}
    (trace,) = {event.traceparent.split("-")[1] for event in events}
    assert {span.trace for span in spans.values()} == {trace}
    roots = [span for span in spans.values() if span.parent not in spans]
    assert [(root.parent, root.service) for root in roots] == [("", "ragsolver-intake")]
    published = {
        span.attributes["messaging.message.id"]: span
        for span in spans.values()
        if span.name.startswith("publish ")
    }
    assert set(published) == {event.id for event in events}
    for event in events:
        assert event.traceparent.split("-")[2] == published[event.id].span
        if event.causationid is not None:
            cause = published[event.causationid].span
            assert cause in _ancestors(published[event.id], spans)
            assert published[event.id].service == f"ragsolver-{event.role}"
    services = {span.service for span in spans.values()}
    assert services == {
        f"ragsolver-{role}"
        for role in (
            "intake",
            "planner",
            "retriever",
            "generator",
            "formalizer",
            "verifier",
            "critic",
        )
    }


def _ancestors(span, spans):
    while span is not None:
        yield span.span
        span = spans.get(span.parent)


async def test_tracing_changes_nothing_but_the_context(bus):
    """The same problem with and without traces: the same ids and the same state."""
    with collector() as collected:
        told = TelemetrySettings(otlp_endpoint=collected.url)
        traced = await solved(bus, replace(bus.settings, telemetry=told), "r2")
    plain = await solved(bus, bus.settings, "r3")
    assert {event.traceparent for event in plain} == {None}
    assert [event.name for event in plain] == [event.name for event in traced]

    bare = [event.model_copy(update={"traceparent": None}) for event in traced]
    states = [state_hash(Case.fold("r2", "p1", said, RunConfig())) for said in (traced, bare)]
    assert states[0] == states[1]


async def test_a_collector_that_is_away_costs_no_work(bus):
    async def decide(context, case, trigger):
        return [LlmReserved(call=1, agent="echo", purpose="test")]

    told = TelemetrySettings(otlp_endpoint="http://127.0.0.1:9")
    worker = scripted_worker(decide, emits=(LlmReserved,))
    async with running_worker(worker, replace(bus.settings, telemetry=told)):
        for number in range(20):
            await bus.submit(f"p{number}")

        async def decided():
            return await bus.names("p19") == ["problem_submitted", "llm_reserved"]

        await until(decided)
