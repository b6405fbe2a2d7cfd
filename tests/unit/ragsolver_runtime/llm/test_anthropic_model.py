import asyncio
import json
import logging

import anthropic
import httpx2
from hypothesis import given, settings
from hypothesis import strategies as st

from ragsolver_contracts.llm import LlmOutcome, LlmReply
from ragsolver_runtime.llm.anthropic_model import AnthropicModel, open_anthropic, secrets_of
from ragsolver_runtime.llm.failures import Secrets
from ragsolver_runtime.llm.settings import ModelSettings
from suites.llm_requests import call_id, request

KEY = "sk-ant-something-secret"


def client_that(answers):
    transport = httpx2.MockTransport(answers)
    return anthropic.AsyncAnthropic(
        api_key=KEY,
        base_url="http://host",
        max_retries=0,
        http_client=httpx2.AsyncClient(transport=transport),
    )


async def test_whatever_is_raised_is_an_outcome_without_the_key():
    def _raise(_):
        raise RuntimeError(f"broken with {KEY}")

    model = AnthropicModel(client_that(_raise), ModelSettings(), Secrets([KEY]))
    reply = await model.ask(request(), call_id())
    assert reply.outcome is LlmOutcome.CONNECTION
    assert KEY not in reply.error
    assert "[key]" in reply.error


async def test_a_server_that_is_asked_once_is_asked_once():
    asked = []

    def _busy(sent):
        asked.append(sent)
        return httpx2.Response(529, headers={"retry-after": "1"})

    model = AnthropicModel(client_that(_busy), ModelSettings(), Secrets([KEY]))
    reply = await model.ask(request(), call_id())
    assert (reply.outcome, reply.retry_after_s) == (LlmOutcome.OVERLOADED, 1)
    assert len(asked) == 1


async def test_the_client_goes_where_the_settings_say_with_the_key_of_the_environment():
    env = {"ANTHROPIC_API_KEY": f" {KEY}\n"}
    settings = ModelSettings(base_url="http://host:1/v1")
    async with open_anthropic(settings, env) as model:
        client = model._client
        assert str(client.base_url).rstrip("/") == "http://host:1"
        assert client.api_key == KEY
        assert client.max_retries == 0
        assert not client._client.follow_redirects
    assert client.is_closed()


def test_custom_headers_are_secrets_too():
    env = {"ANTHROPIC_CUSTOM_HEADERS": "X-Gateway: open sesame\nAuthorization: Bearer abcdefgh"}
    assert secrets_of(env).hide("open sesame abcdefgh") == "[key] [key]"


async def test_the_sdk_does_not_log_what_servers_say_whatever_its_own_settings(caplog):
    caplog.set_level(logging.DEBUG, "anthropic")
    caplog.set_level(logging.DEBUG, "httpcore2")
    async with open_anthropic(ModelSettings(), {"ANTHROPIC_API_KEY": KEY}):
        assert logging.getLogger("anthropic").getEffectiveLevel() == logging.WARNING
        assert logging.getLogger("httpcore2").getEffectiveLevel() == logging.WARNING


KINDS = ("message_start", "content_block_start", "content_block_delta", "message_delta", "error")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["type", "delta", "text", "usage", "message", "content_block", "id"])
            | st.sampled_from(["stop_reason", "input_tokens", "input", "error", "partial_json"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
ODD = st.sampled_from([KEY, "\ud800"])
PARTS = (
    {"type": "message_delta", "delta": {"stop_reason": None}, "usage": {"output_tokens": None}},
    {"type": "content_block_start", "content_block": {"type": "tool_use", "input": None}},
    {"type": "content_block_delta", "delta": {"type": "text_delta", "text": None}},
    {"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": None}},
    {"type": "message_start", "message": {"id": None, "usage": {"input_tokens": None}}},
)


def filled(part, value):
    """The part with a value wherever it has none."""
    if isinstance(part, dict):
        return {key: filled(inner, value) for key, inner in part.items()}
    return value if part is None else part


EVENTS = st.tuples(
    st.sampled_from(KINDS),
    ANYTHING | ODD | st.builds(filled, st.sampled_from(PARTS), ANYTHING | ODD),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENTS, max_size=5), st.binary(max_size=20), st.sampled_from([200, 200, 400, 500]))
def test_whatever_a_server_sends_is_an_outcome(events, rest, status):
    def _answer(_):
        lines = [f"event: {kind}\ndata: {json.dumps(said)}\n\n" for kind, said in events]
        return httpx2.Response(
            status,
            headers={"content-type": "text/event-stream"},
            content="".join(lines).encode() + rest,
        )

    async def _ask():
        model = AnthropicModel(client_that(_answer), ModelSettings(), Secrets([KEY]))
        return await model.ask(request(), call_id())

    reply = asyncio.run(_ask())
    LlmReply.model_validate_json(reply.model_dump_json())
    assert KEY not in reply.model_dump_json()
    assert (reply.outcome is LlmOutcome.ANSWERED) == (reply.error == "")
