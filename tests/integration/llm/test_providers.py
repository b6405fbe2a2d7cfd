"""What every provider does alike, also the real SDK on the project's own server."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.llm.opening import open_provider
from ragsolver_runtime.llm.settings import ModelSettings
from suites.llm_requests import call_id, request
from suites.messages_server import ServerLine, messages_server
from suites.trace_files import write_trace

pytestmark = pytest.mark.connected

PROVIDERS = ("echo", "scripted", "recorded", "schema", "tool")
ANSWER = {"text": "xx"}
AFTER_S = 30.0


@asynccontextmanager
async def provider_of(kind, folder, after_s=0.0, fail=None):
    """A provider that answers `ANSWER`, or fails."""
    line = {"after_s": after_s, **({"fail": fail} if fail else {"answer": ANSWER})}
    match kind:
        case "echo":
            settings = ModelSettings(provider="echo", echo_delay_s=after_s)
        case "scripted":
            file = folder / "answers.jsonl"
            file.write_text(json.dumps(line) + "\n")
            settings = ModelSettings(provider="scripted", script=str(file))
        case "recorded":
            trace = write_trace(folder / "trace.jsonl", [event(_exchange(fail))])
            settings = ModelSettings(provider="recorded", trace=str(trace))
        case _:
            async with messages_server([ServerLine(**line)]) as server:
                settings = ModelSettings(base_url=server.url, structured=kind)
                async with open_provider(settings, {}) as provider:
                    yield provider
            return
    async with open_provider(settings, {}) as provider:
        yield provider


def _exchange(fail):
    return LlmCalled(
        call=1,
        agent="generator",
        purpose="sketch",
        prompt_id="generator.sketch/1",
        prompt_hash="0" * 64,
        model="claude-test",
        request_hash=request().request_hash,
        response="" if fail else json.dumps(ANSWER),
        stop_reason="end_turn",
        outcome=fail or "answered",
        error=fail or "",
    )


@pytest.mark.parametrize("kind", PROVIDERS)
async def test_an_answer_is_a_json_object_of_its_schema(kind, tmp_path):
    async with provider_of(kind, tmp_path) as provider:
        reply = await provider.ask(request(), call_id())
    assert reply.outcome is LlmOutcome.ANSWERED
    assert json.loads(reply.text) == ANSWER
    assert reply.stop_reason
    assert not reply.error


@pytest.mark.parametrize("kind", PROVIDERS)
async def test_many_may_ask_at_once(kind, tmp_path):
    async with provider_of(kind, tmp_path) as provider:
        calls = (call_id(call=number) for number in range(1, 6))
        replies = await asyncio.gather(*(provider.ask(request(), call) for call in calls))
    assert {reply.outcome for reply in replies} == {LlmOutcome.ANSWERED}


@pytest.mark.parametrize("kind", [kind for kind in PROVIDERS if kind != "recorded"])
async def test_a_cancelled_call_ends_at_once(kind, tmp_path):
    async with provider_of(kind, tmp_path, after_s=AFTER_S) as provider:
        asking = asyncio.create_task(provider.ask(request(), call_id()))
        await asyncio.wait({asking}, timeout=0.1)
        asking.cancel()
        async with asyncio.timeout(AFTER_S / 3):
            with pytest.raises(asyncio.CancelledError):
                await asking


@pytest.mark.parametrize("fail", ["refused", "truncated", "rejected", "unauthorized"])
@pytest.mark.parametrize("kind", [kind for kind in PROVIDERS if kind != "echo"])
async def test_a_failure_is_an_outcome_that_says_something(kind, fail, tmp_path):
    async with provider_of(kind, tmp_path, fail=fail) as provider:
        reply = await provider.ask(request(), call_id())
    assert reply.outcome is LlmOutcome(fail)
    assert reply.error


@pytest.mark.parametrize("kind", ["scripted", "recorded", "schema", "tool"])
async def test_what_has_no_answer_is_rejected(kind, tmp_path):
    """Another problem for a script, another request for a trace."""
    file = tmp_path / "answers.jsonl"
    file.write_text('{"problem": "another", "text": "x"}\n')
    if kind == "scripted":
        settings = ModelSettings(provider="scripted", script=str(file))
        async with open_provider(settings, {}) as provider:
            reply = await provider.ask(request(), call_id())
    elif kind == "recorded":
        async with provider_of(kind, tmp_path) as provider:
            reply = await provider.ask(request("another"), call_id())
    else:
        async with messages_server([ServerLine(problem="another", text="x")]) as server:
            settings = ModelSettings(base_url=server.url, structured=kind)
            async with open_provider(settings, {}) as provider:
                reply = await provider.ask(request(), call_id())
    assert reply.outcome is LlmOutcome.REJECTED
    assert reply.error
