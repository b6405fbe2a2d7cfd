"""The real SDK against the project's own Messages API, over HTTP."""

import asyncio
import json
import logging
import sys
from pathlib import Path

import httpx2
import pytest

from ragsolver_contracts.llm import Block, LlmOutcome, LlmRequest, Message
from ragsolver_runtime.llm.opening import open_provider
from ragsolver_runtime.llm.port import CallId
from ragsolver_runtime.llm.settings import ModelSettings
from ragsolver_runtime.testing import until
from suites import messages_server as messages_server_module
from suites.messages_server import ServerLine, messages_server

pytestmark = pytest.mark.connected

KEY = "sk-ant-a-very-secret-key"
CALL = CallId("r1", "p1", 1, "generator", "sketch", 1)
SCHEMA = {
    "type": "object",
    "title": "Sketch",
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "holes": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
    },
    "required": ["text"],
}
ANSWER = {"text": "∀ n, n + 0 = n — by 𝓛 induction", "holes": ["h1"]}


def request(**changes):
    values = {
        "model": "claude-test",
        "max_tokens": 100,
        "system": (Block(text="You prove theorems.", cached=True),),
        "messages": (Message(role="user", content=(Block(text="Prove it."),)),),
        "answer_schema": SCHEMA,
        "answer_name": "sketch",
    }
    return LlmRequest(**{**values, **changes})


async def ask(server, asked=None, call=CALL, env=None, **settings):
    values = {"base_url": server.url, "stall_s": 5, "total_s": 20, **settings}
    env = {"ANTHROPIC_API_KEY": KEY} if env is None else env
    async with open_provider(ModelSettings(**values), env) as provider:
        return await provider.ask(asked or request(), call)


@pytest.mark.parametrize("structured", ["schema", "tool"])
async def test_an_answer_comes_as_it_was_given_with_its_tokens(structured):
    async with messages_server([ServerLine(answer=ANSWER)], key=KEY) as server:
        reply = await ask(server, structured=structured)
    assert reply.outcome is LlmOutcome.ANSWERED, reply.error
    assert json.loads(reply.text) == ANSWER
    assert reply.usage.output_tokens > 1
    assert (reply.usage.input_tokens, reply.usage.cache_write_tokens) == (2, 3)
    assert reply.stop_reason == ("tool_use" if structured == "tool" else "end_turn")
    assert reply.server_id == "req_1"
    assert reply.latency_ms > 0
    sent = server.seen[0].body
    assert sent["metadata"]["user_id"] == "r1/p1/1/generator/sketch/1"
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert "cache_control" not in sent["messages"][0]["content"][0]
    assert dict(server.counts) == {"r1/p1/1": 1}


async def test_the_second_request_reads_the_cached_prefix():
    async with messages_server([ServerLine(answer=ANSWER)]) as server:
        await ask(server)
        reply = await ask(server)
    assert (reply.usage.cache_read_tokens, reply.usage.cache_write_tokens) == (3, 0)


async def test_a_tool_may_come_at_once_or_as_text():
    lines = [ServerLine(answer=ANSWER, how="whole_tool")]
    async with messages_server(lines) as server:
        reply = await ask(server, structured="tool")
    assert json.loads(reply.text) == ANSWER


async def test_images_parameters_and_free_text_are_passed_on():
    asked = request(
        messages=(
            Message(
                role="user",
                content=(Block(image="aGk=", media_type="image/png"), Block(text="What is it?")),
            ),
        ),
        answer_schema=None,
        parameters={"temperature": 0.25, "future_parameter": {"a": 1}},
    )
    async with messages_server([ServerLine(text="a circle")]) as server:
        reply = await ask(server, asked)
    assert (reply.outcome, reply.text) == (LlmOutcome.ANSWERED, "a circle")
    sent = server.seen[0].body
    assert sent["messages"][0]["content"][0] == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
    }
    assert (sent["temperature"], sent["future_parameter"]) == (0.25, {"a": 1})


async def test_a_parameter_may_add_to_the_output_format_but_not_replace_what_is_ours():
    asked = request(parameters={"output_config": {"effort": "low"}})
    async with messages_server([ServerLine(answer=ANSWER)]) as server:
        assert (await ask(server, asked)).outcome is LlmOutcome.ANSWERED
        reply = await ask(server, request(parameters={"messages": []}))
        assert server.total == 1
    assert server.seen[0].body["output_config"]["effort"] == "low"
    assert server.seen[0].body["output_config"]["format"]["type"] == "json_schema"
    assert reply.outcome is LlmOutcome.REJECTED
    assert "messages" in reply.error


FAILURES = [
    ({"fail": "rate_limited", "retry_after_s": 7}, "rate_limited"),
    ({"fail": "rate_limited", "how": "in_stream"}, "rate_limited"),
    ({"fail": "overloaded"}, "overloaded"),
    ({"fail": "overloaded", "how": "in_stream"}, "overloaded"),
    ({"fail": "overloaded", "status": 503}, "overloaded"),
    ({"fail": "server_error"}, "server_error"),
    ({"fail": "server_error", "how": "in_stream"}, "server_error"),
    ({"fail": "server_error", "how": "garbage"}, "server_error"),
    ({"fail": "server_error", "how": "shape"}, "server_error"),
    ({"fail": "unauthorized"}, "unauthorized"),
    ({"fail": "rejected"}, "rejected"),
    ({"text": "", "how": "html"}, "rejected"),
    ({"text": "", "how": "redirect"}, "rejected"),
    ({"fail": "context_overflow"}, "context_overflow"),
    ({"fail": "context_overflow", "how": "stop_reason"}, "context_overflow"),
    ({"fail": "refused"}, "refused"),
    ({"fail": "truncated"}, "truncated"),
    ({"fail": "invalid"}, "invalid"),
    ({"text": "[1, 2]"}, "invalid"),
    ({"text": '{"text": "\\ud800"}'}, "invalid"),
    ({"fail": "connection"}, "connection"),
    ({"fail": "connection", "how": "before"}, "connection"),
    ({"fail": "stalled"}, "stalled"),
    ({"fail": "stalled", "how": "before"}, "stalled"),
]


@pytest.mark.parametrize("structured", ["schema", "tool"])
@pytest.mark.parametrize(("line", "outcome"), FAILURES, ids=str)
async def test_every_failure_has_its_outcome_and_is_tried_once(line, outcome, structured):
    async with messages_server([ServerLine(**line)], key=KEY) as server:
        reply = await ask(server, structured=structured, stall_s=0.2)
        assert server.total == 1
    assert reply.outcome is LlmOutcome(outcome), reply
    assert reply.error
    assert ("stall_s" in reply.error) == (outcome == "stalled")
    assert reply.retry_after_s == line.get("retry_after_s")
    if outcome in {"truncated", "refused", "invalid"}:
        assert reply.text
        assert reply.usage.output_tokens


async def test_an_answer_that_comes_too_slowly_is_given_up():
    async with messages_server([ServerLine(answer=ANSWER, after_s=0.6)]) as server:
        reply = await ask(server, total_s=0.2)
    assert reply.outcome is LlmOutcome.STALLED
    assert "total_s" in reply.error


async def test_nobody_at_the_address_is_a_lost_connection():
    async with messages_server() as server:
        pass
    reply = await ask(server)
    assert reply.outcome is LlmOutcome.CONNECTION
    assert reply.error


async def test_a_wrong_key_is_refused_and_none_is_not_even_tried():
    async with messages_server([ServerLine(answer=ANSWER)], key="another") as server:
        assert (await ask(server)).outcome is LlmOutcome.UNAUTHORIZED
    async with open_provider(ModelSettings(), {}) as provider:
        reply = await provider.ask(request(), CALL)
    assert reply.outcome is LlmOutcome.UNAUTHORIZED
    assert "ANTHROPIC_API_KEY" in reply.error


async def test_a_token_goes_as_a_bearer_and_a_local_server_needs_no_key():
    async with messages_server([ServerLine(answer=ANSWER)], key=KEY) as server:
        reply = await ask(server, env={"ANTHROPIC_AUTH_TOKEN": KEY + "\n"})
        assert reply.outcome is LlmOutcome.ANSWERED
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    async with messages_server([ServerLine(answer=ANSWER)]) as server:
        assert (await ask(server, env={})).outcome is LlmOutcome.ANSWERED


@pytest.mark.parametrize("key", [KEY, "a key of another shape"])
@pytest.mark.parametrize("how", ["echo_key", "answer"])
async def test_the_key_is_never_repeated(key, how, caplog):
    caplog.set_level(logging.INFO)
    line = (
        ServerLine(fail="rejected", how="echo_key")
        if how == "echo_key"
        else ServerLine(answer={"text": f"the key is {key}"})
    )
    async with messages_server([line]) as server:
        reply = await ask(server, env={"ANTHROPIC_API_KEY": key})
    assert server.seen[0].headers["authorization"] == f"Bearer {key}"
    assert server.seen[0].headers["x-api-key"] == key
    assert key not in reply.model_dump_json()
    assert "[key]" in reply.model_dump_json()
    assert key not in caplog.text


async def test_a_cancelled_call_closes_its_stream():
    async with messages_server([ServerLine(fail="stalled")]) as server:
        asking = asyncio.create_task(ask(server))
        await until(lambda: server.total == 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: server.in_flight == 0)
        assert server.closed_early == 1


async def test_one_client_serves_many_calls():
    async with messages_server() as server:
        settings = ModelSettings(base_url=server.url)
        async with open_provider(settings, {}) as provider:
            calls = [CallId("r1", "p1", n, "critic", "critique", n) for n in range(1, 21)]
            replies = await asyncio.gather(*(provider.ask(request(), call) for call in calls))
        assert {reply.outcome for reply in replies} == {LlmOutcome.ANSWERED}
        assert server.counts == {f"r1/p1/{n}": 1 for n in range(1, 21)}


async def test_the_server_runs_as_a_program_and_tells_its_counts(tmp_path):
    script = tmp_path / "answers.jsonl"
    script.write_text(json.dumps({"problem": "p1", "answer": ANSWER}) + "\n")
    program = str(Path(messages_server_module.__file__))
    started = await asyncio.create_subprocess_exec(
        sys.executable, program, "--script", str(script), stdout=asyncio.subprocess.PIPE
    )
    try:
        url = (await started.stdout.readline()).decode().strip()
        async with open_provider(ModelSettings(base_url=url), {}) as provider:
            reply = await provider.ask(request(), CALL)
        async with httpx2.AsyncClient() as client:
            counts = (await client.get(f"{url}/counts")).json()
    finally:
        started.kill()
        await started.wait()
    assert json.loads(reply.text) == ANSWER
    assert (counts["total"], counts["calls"]) == (1, {"r1/p1/1": 1})
