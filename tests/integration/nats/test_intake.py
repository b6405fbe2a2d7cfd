"""Inputs on the input subject: never lost, always answered, the same input the same answer."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from ragsolver_contracts import subjects
from ragsolver_contracts.events_run import ProblemRefused
from ragsolver_contracts.problem import RefusalReason, SubmitReply
from ragsolver_runtime.intake import LINE_HEADER, RUN_HEADER
from ragsolver_runtime.intake_app import run_intake
from ragsolver_runtime.process import EXIT_BUS_LOST, EXIT_OK
from ragsolver_runtime.streams import INPUT
from ragsolver_runtime.testing import until

pytestmark = pytest.mark.connected

GOOD = {"name": "a", "run_id": "r1", "formal_statement": "theorem a : 1 = 1 := by sorry"}


@asynccontextmanager
async def intake(bus, replicas: int = 1) -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = []
    for _ in range(replicas):
        ready = asyncio.Event()
        serving = run_intake(bus.settings, stop=stop, on_ready=ready.set, signals=False)
        running.append(asyncio.create_task(serving))
        await ready.wait()
    try:
        yield
    finally:
        stop.set()
        assert await asyncio.gather(*running) == [EXIT_OK] * replicas


async def post(bus, content, **headers) -> SubmitReply:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    message = await bus.client.request(subjects.SUBMIT, raw, timeout=10, headers=headers or None)
    return SubmitReply.model_validate_json(message.data)


async def test_a_problem_is_accepted_and_the_same_post_is_answered_the_same(bus):
    async with intake(bus):
        first, second = await post(bus, GOOD), await post(bus, GOOD)
    assert (first.status, first.run_id, first.problem_id) == ("accepted", "r1", "a")
    assert not first.duplicate
    assert second == first.model_copy(update={"duplicate": True})
    (submitted,) = await bus.reader.read_problem("r1", "a")
    assert submitted.data.problem.formal_statement == "theorem a : 1 = 1"
    assert submitted.data.problem.declaration == "a"


async def test_another_problem_under_a_known_name_is_refused(bus):
    async with intake(bus):
        await post(bus, GOOD)
        other = await post(bus, GOOD | {"formal_statement": "theorem a : 2 = 2"})
        again = await post(bus, GOOD | {"formal_statement": "theorem a : 2 = 2"})
    assert (other.status, other.reason) == ("refused", RefusalReason.DUPLICATE)
    assert (again.reason, again.duplicate) == (RefusalReason.DUPLICATE, True)
    (submitted,) = await bus.reader.read_problem("r1", "a")
    assert submitted.data.problem.formal_statement == "theorem a : 1 = 1"


@pytest.mark.parametrize(
    ("content", "reason", "pointer"),
    [
        (b"{nope", RefusalReason.BAD_JSON, ""),
        (b"\xff\xfe", RefusalReason.NOT_UTF8, ""),
        ({"name": "a/b", "formal_statement": "x"}, RefusalReason.SCHEMA, "/name"),
        (
            {"name": "a", "informal_statement": "  "},
            RefusalReason.NO_STATEMENT,
            "/formal_statement",
        ),
    ],
)
async def test_what_is_no_problem_is_refused_and_recorded_in_its_run(
    bus, content, reason, pointer
):
    headers = {RUN_HEADER: "r1", LINE_HEADER: "7"}
    async with intake(bus):
        reply = await post(bus, content, **headers)
    assert (reply.status, reply.reason, reply.pointer) == ("refused", reason, pointer)
    (refused,) = await bus.reader.read_problem("r1", reply.problem_id)
    assert isinstance(refused.data, ProblemRefused)
    assert (refused.data.reason, refused.data.line) == (reason, 7)


async def test_an_input_without_a_run_goes_to_the_inbox_and_an_unknown_run_is_refused(bus):
    async with intake(bus):
        inbox = await post(bus, {"name": "a", "informal_statement": "One is one."})
        unknown = await post(bus, GOOD | {"run_id": "r404"})
    assert (inbox.status, inbox.run_id) == ("accepted", "inbox")
    assert (unknown.reason, unknown.run_id) == (RefusalReason.UNKNOWN_RUN, "inbox")
    assert "r404" in unknown.message
    assert await bus.reader.run_started("inbox") is not None


async def test_what_is_posted_while_no_intake_runs_is_worked_off_later(bus):
    for number in range(5):
        await bus.client.publish(
            subjects.SUBMIT, json.dumps(GOOD | {"name": f"p{number}"}).encode()
        )
    await bus.client.flush()

    async def all_in() -> bool:
        return [e.problem_id async for e in bus.reader.read_run("r1")][1:] == [
            f"p{number}" for number in range(5)
        ]

    async with intake(bus):
        await until(all_in)
    info = await bus.js.stream_info(INPUT)
    assert info.state.messages == 5


async def test_replicas_answer_each_poster_once(bus):
    async with intake(bus, replicas=2):
        replies = await asyncio.gather(
            *(post(bus, GOOD | {"name": f"p{number}"}) for number in range(40))
        )
    assert sorted(reply.problem_id for reply in replies) == sorted(f"p{n}" for n in range(40))
    assert {(reply.status, reply.duplicate) for reply in replies} == {("accepted", False)}


async def test_a_deleted_consumer_ends_the_intake_with_an_error(bus):
    ready = asyncio.Event()
    running = asyncio.create_task(run_intake(bus.settings, on_ready=ready.set, signals=False))
    await ready.wait()
    await bus.js.delete_consumer(INPUT, "intake")
    assert await asyncio.wait_for(running, 30) == EXIT_BUS_LOST
