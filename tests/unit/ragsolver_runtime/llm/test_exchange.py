from types import SimpleNamespace as Ns

import pytest

from ragsolver_contracts.llm import Block, LlmOutcome, Message
from ragsolver_runtime.llm.exchange import Heard, RequestError, body, call_name, no_object
from suites.llm_requests import SCHEMA, call_id, request


def test_a_request_for_a_format_sends_the_schema_that_servers_take():
    sent = body(request(), call_id(), "schema")
    schema = sent["output_config"]["format"]["schema"]
    assert schema["additionalProperties"] is False
    assert "minLength" not in schema["properties"]["text"]
    assert "tools" not in sent


def test_a_request_for_a_tool_forces_it_and_sends_the_whole_schema():
    sent = body(request(answer_name="sketch"), call_id(), "tool")
    assert sent["tools"][0]["input_schema"] == SCHEMA
    assert sent["tool_choice"]["name"] == sent["tools"][0]["name"] == "sketch"
    assert "output_config" not in sent


def test_images_and_cached_prefixes():
    picture = Block(image="aGk=", media_type="image/png", cached=True)
    asked = request(messages=(Message(role="user", content=(picture, Block(text="?"))),))
    first, second = body(asked, call_id(), "schema")["messages"][0]["content"]
    assert first["source"] == {"type": "base64", "media_type": "image/png", "data": "aGk="}
    assert first["cache_control"] == {"type": "ephemeral"}
    assert second == {"type": "text", "text": "?"}


@pytest.mark.parametrize("name", ["messages", "stream", "model", "metadata", "system"])
def test_a_run_cannot_replace_what_is_ours(name):
    with pytest.raises(RequestError, match=name):
        body(request(parameters={name: 1}), call_id(), "schema")


def test_a_schema_that_cannot_be_sent_is_said():
    with pytest.raises(RequestError, match="schema"):
        body(request(answer_schema={"properties": {}}), call_id(), "schema")


def test_a_call_is_named_within_the_servers_limit():
    assert call_name(call_id(call=12)) == "r1/p1/12/generator/sketch/1"
    assert len(call_name(call_id(problem_id="p" * 500))) == 256


def delta(**fields):
    return Ns(type="content_block_delta", delta=Ns(**fields))


def stopped(reason, **usage):
    return Ns(type="message_delta", delta=Ns(stop_reason=reason), usage=Ns(**usage))


def heard(*events):
    found = Heard()
    for event in events:
        found.take(event)
    return found


def test_counts_are_cumulative_and_a_later_one_counts():
    start = Ns(
        type="message_start",
        message=Ns(
            id="msg_1", usage=Ns(input_tokens=5, output_tokens=1, cache_read_input_tokens=2)
        ),
    )
    found = heard(start, stopped("end_turn", output_tokens=9, input_tokens=None))
    assert (found.usage.input_tokens, found.usage.output_tokens) == (5, 9)
    assert found.usage.cache_read_tokens == 2
    assert found.server_id == "msg_1"


def test_a_surrogate_pair_that_was_cut_in_two_is_whole_again_and_a_half_is_replaced():
    pieces = (
        delta(type="text_delta", text="\ud835"),
        delta(type="text_delta", text="\udcdb \ud800"),
    )
    assert heard(*pieces).text == "𝓛 \ufffd"


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("end_turn", LlmOutcome.ANSWERED),
        ("tool_use", LlmOutcome.ANSWERED),
        ("refusal", LlmOutcome.REFUSED),
        ("max_tokens", LlmOutcome.TRUNCATED),
        ("model_context_window_exceeded", LlmOutcome.CONTEXT_OVERFLOW),
        ("pause_turn", LlmOutcome.INVALID),
        ("", LlmOutcome.CONNECTION),
    ],
)
def test_why_an_answer_stopped_decides_what_it_is(reason, outcome):
    found = heard(delta(type="text_delta", text='{"text": "ok"}'), stopped(reason))
    reply = found.reply(request())
    assert reply.outcome is outcome
    assert bool(reply.error) == (outcome is not LlmOutcome.ANSWERED)
    assert reply.text == '{"text": "ok"}'


def test_an_endless_answer_is_none():
    piece = delta(type="text_delta", text="x" * 1_000_000)
    found = heard(piece, piece, piece)
    assert found.too_long
    assert found.reply(request()).outcome is LlmOutcome.INVALID


def test_free_text_must_say_something():
    found = heard(delta(type="text_delta", text=" \n"), stopped("end_turn"))
    assert found.reply(request(answer_schema=None)).outcome is LlmOutcome.INVALID


@pytest.mark.parametrize("text", ["", "[]", "3", '{"a": 1', "```json\n{}\n```", "[" * 100_000])
def test_what_is_no_object(text):
    assert no_object(text)
    assert no_object('{"a": {}}') == ""
