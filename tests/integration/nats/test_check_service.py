"""Checks asked for on a real bus, answered by scripted Lean."""

import asyncio
import dataclasses
import json
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import jsonschema
import pytest

from ragsolver_contracts import subjects
from ragsolver_contracts.check import MOST_CANDIDATES, CheckRequest
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.ask_check import UnansweredError, ask_check
from ragsolver_runtime.paths import resource_dir
from ragsolver_runtime.tasks import end
from ragsolver_runtime.testing import scripted_worker
from ragsolver_verifier.answer_check import check_service
from ragsolver_verifier.settings import VerifierSettings
from suites.check_server import check_server, scripted_checker

pytestmark = pytest.mark.connected

STATEMENT = "theorem foo (n : Nat) : n + 0 = n"
SCHEMA = json.loads((resource_dir("schemas") / "v1" / "CheckReply.schema.json").read_text())


def request(*proofs, **changes):
    candidates = tuple({"id": str(n), "proof": proof} for n, proof in enumerate(proofs))
    return CheckRequest(statement=STATEMENT, candidates=candidates, **changes)


async def raw_reply(bus, raw):
    """What any NATS client gets; it must fit the committed schema."""
    message = await bus.client.request(subjects.CHECK, raw, timeout=20)
    reply = json.loads(message.data)
    jsonschema.validate(reply, SCHEMA)
    return reply


async def test_replies_fit_the_schema_whatever_is_asked(bus):
    good = json.loads(request("rfl", "wrong", "die").model_dump_json())
    async with check_server(bus.server.url):
        judged = await raw_reply(bus, json.dumps(good).encode())
        for raw in (b"", b"{", b"\x00\xff", b'{"candidates": 1}', b"[" * 90_000):
            assert (await raw_reply(bus, raw))["status"] == "refused"
        wrong = await raw_reply(bus, json.dumps({**good, "spelt": 1}).encode())
    assert judged["status"] == "judged"
    assert [bool(item["failure"]) for item in judged["results"]] == [False, False, True]
    assert (wrong["status"], wrong["pointer"]) == ("refused", "/spelt")


async def test_a_full_batch_fits_into_a_message(bus):
    """Sources of 10 kB each: together they would be more than the bus carries."""
    proofs = [f"{'-- long' * 1_400}\n  rfl"] * MOST_CANDIDATES
    async with check_server(bus.server.url):
        reply = await ask_check(bus.client, request(*proofs), 60)
    assert [item.id for item in reply.results] == [str(n) for n in range(MOST_CANDIDATES)]
    assert {str(item.verdict.status) for item in reply.results} == {"accepted"}


async def test_a_request_that_is_too_large_is_said(bus):
    with pytest.raises(UnansweredError, match="send fewer"):
        await ask_check(bus.client, b"x" * (bus.client.max_payload + 1))


async def test_nobody_serves(bus):
    with pytest.raises(UnansweredError, match="lean serve"):
        await ask_check(bus.client, request("rfl"))


async def test_two_servers_share_the_work_and_a_full_one_says_so(bus):
    url = bus.server.url
    async with check_server(url, 0.3, waiting=0), check_server(url, 0.3, waiting=0):
        asking = [ask_check(bus.client, request("rfl"), 30) for _ in range(12)]
        replies = await asyncio.gather(*asking)
    judged = [reply for reply in replies if reply.status == "judged"]
    busy = [reply for reply in replies if reply.status == "failed"]
    assert len(judged) >= 1
    assert {reply.detail for reply in busy} == {"busy, try again"}
    assert len(judged) + len(busy) == 12


async def test_a_killed_server_leaves_a_clear_failure_and_the_other_one_goes_on(bus):
    url = bus.server.url
    script = Path(__file__).parents[2] / "suites" / "check_server.py"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, str(script), url, "600"]
    server = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, env=environment
    )
    try:
        assert server.stdout is not None
        assert await server.stdout.readline() == b"ready\n"
        asking = asyncio.create_task(ask_check(bus.client, request("rfl"), 2.0))
        await asyncio.sleep(0.3)
        server.kill()
        async with check_server(url):
            with pytest.raises(UnansweredError, match="killed"):
                await asking
            assert (await ask_check(bus.client, request("rfl"), 20)).status == "judged"
    finally:
        if server.returncode is None:
            server.kill()
        await server.wait()


async def test_a_server_that_stops_apologizes(bus):
    async with check_server(bus.server.url, 600, drain_s=0.1):
        asking = asyncio.create_task(ask_check(bus.client, request("rfl"), 30))
        await asyncio.sleep(0.3)
    reply = await asking
    assert (reply.status, reply.detail) == ("failed", "this server stops, try again")


async def test_a_worker_answers_beside_its_deliveries(bus):
    """As the verifier does, on the pool of its own."""
    stop, ready = asyncio.Event(), asyncio.Event()

    async def decide(context, case, trigger):
        return []

    spec = scripted_worker(decide, triggers=(ProblemSubmitted,))
    async with scripted_checker() as checker:
        service = check_service(checker, VerifierSettings())
        opened = spec.open

        @asynccontextmanager
        async def open_serving(context):
            async with opened(context) as deciding, context.serve(service):
                yield deciding

        serving = dataclasses.replace(spec, open=open_serving)
        running = asyncio.create_task(
            run_worker(serving, bus.settings, stop=stop, on_ready=ready.set, signals=False)
        )
        try:
            await ready.wait()
            assert (await ask_check(bus.client, request("rfl"), 20)).status == "judged"
            stop.set()
            assert await running == 0
        finally:
            await end(running)
    with pytest.raises(UnansweredError):
        await ask_check(bus.client, request("rfl"), 2.0)
