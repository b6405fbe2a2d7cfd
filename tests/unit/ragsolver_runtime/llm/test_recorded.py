import pytest

from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.recorded import RecordedModel, read_recorded
from suites.llm_requests import call_id, request
from suites.sample_run import sample_run
from suites.trace_files import write_trace


def exchange(asked, call=1, **changes):
    values = {
        "call": call,
        "agent": "generator",
        "purpose": "sketch",
        "prompt_id": "generator.sketch/1",
        "prompt_hash": "0" * 64,
        "model": asked.model,
        "request_hash": asked.request_hash,
        "response": f"answer {call}",
        "stop_reason": "end_turn",
        "output_tokens": 7,
    }
    return LlmCalled(**{**values, **changes})


async def test_a_request_gets_the_answer_that_is_recorded_for_it():
    asked = request()
    entries = [("p2", exchange(asked, 9)), ("p1", exchange(asked, 1)), ("p1", exchange(asked, 4))]
    model = RecordedModel("t.jsonl", {asked.request_hash: entries})
    replies = [
        await model.ask(asked, call_id(problem_id=problem, call=call))
        for problem, call in [("p1", 4), ("p1", 2), ("p2", 1), ("p3", 1)]
    ]
    assert [reply.text for reply in replies] == ["answer 4", "answer 1", "answer 9", "answer 1"]
    assert replies[0].usage.output_tokens == 7


async def test_what_is_not_recorded_is_rejected_by_its_hash():
    model = RecordedModel("t.jsonl", {})
    reply = await model.ask(request(), call_id())
    assert reply.outcome is LlmOutcome.REJECTED
    assert request().request_hash[:16] in reply.error
    assert "t.jsonl" in reply.error


async def test_the_answers_of_a_trace_without_what_a_server_was_too_busy_for(tmp_path):
    asked = request()
    busy = exchange(asked, 1, outcome=LlmOutcome.OVERLOADED, response="")
    events = [event(busy, problem_id="p1"), event(exchange(asked, 2), problem_id="p1")]
    model = read_recorded(write_trace(tmp_path / "t.jsonl", events))
    assert (await model.ask(asked, call_id())).text == "answer 2"


def test_a_trace_without_answers_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no exchange"):
        read_recorded(write_trace(tmp_path / "t.jsonl", sample_run()[:3]))


def test_a_file_that_is_no_trace_is_refused(tmp_path):
    file = tmp_path / "t.jsonl"
    with pytest.raises(ConfigError, match="cannot read"):
        read_recorded(file)
    file.write_text("{}\n")
    with pytest.raises(ConfigError, match=r"t\.jsonl line 1"):
        read_recorded(file)
