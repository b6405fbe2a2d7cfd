import json

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.echo import EchoModel
from suites.llm_requests import call_id, request


async def test_the_echo_gives_the_smallest_answer_and_counts_tokens():
    reply = await EchoModel().ask(request(), call_id())
    assert reply.outcome is LlmOutcome.ANSWERED
    assert json.loads(reply.text) == {"text": "xx"}
    assert reply.usage.input_tokens > 0
    assert reply.usage.output_tokens > 0


async def test_free_text_comes_back():
    reply = await EchoModel().ask(request("What is it?", answer_schema=None), call_id())
    assert reply.text == "What is it?"


async def test_a_delay_is_kept():
    reply = await EchoModel(0.02).ask(request(), call_id())
    assert reply.latency_ms >= 20


async def test_a_schema_without_an_answer_is_rejected_by_name():
    schema = {"type": "string", "pattern": "^zz[0-9]{7}$"}
    reply = await EchoModel().ask(request(answer_schema=schema), call_id())
    assert reply.outcome is LlmOutcome.REJECTED
    assert "generator's sketch" in reply.error
