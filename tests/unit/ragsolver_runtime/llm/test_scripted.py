import json

import pytest

from ragsolver_contracts.llm import LlmOutcome, Usage
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.llm.scripted import Script, ScriptedModel, ScriptLine, read_script
from suites.llm_requests import call_id, request


def model(*lines):
    return ScriptedModel(Script([ScriptLine(**line) for line in lines], "answers.jsonl"))


async def test_the_line_that_says_more_answers():
    asked = model(
        {"text": "anything"},
        {"agent": "generator", "text": "any generator"},
        {"problem": "p1", "text": "this problem"},
        {"problem": "p1", "agent": "generator", "purpose": "sketch", "turn": 2, "text": "turn 2"},
        {"agent": "generator", "purpose": "sketch", "turn": 1, "text": "turn 1 of any problem"},
    )

    async def says(**changes):
        return (await asked.ask(request(), call_id(**changes))).text

    assert await says() == "this problem"
    assert await says(turn=2) == "turn 2"
    assert await says(problem_id="p2") == "turn 1 of any problem"
    assert await says(problem_id="p2", turn=3) == "any generator"
    assert await says(problem_id="p2", agent="critic", purpose="critique") == "anything"


async def test_several_lines_answer_the_tries_of_a_turn_in_order():
    asked = model(
        {"turn": 1, "fail": "overloaded", "retry_after_s": 3},
        {"turn": 1, "answer": {"text": "ok"}, "usage": {"output_tokens": 5}},
    )
    first = await asked.ask(request(), call_id())
    assert (first.outcome, first.retry_after_s) == (LlmOutcome.OVERLOADED, 3)
    second = await asked.ask(request(), call_id(call=2))
    assert json.loads(second.text) == {"text": "ok"}
    assert second.usage == Usage(output_tokens=5)
    assert (await asked.ask(request(), call_id(call=3))).outcome is LlmOutcome.ANSWERED
    of_another = await asked.ask(request(), call_id(problem_id="p2"))
    assert of_another.outcome is LlmOutcome.OVERLOADED


async def test_a_call_without_a_line_is_rejected_with_the_line_to_add():
    reply = await model({"problem": "p2", "text": "x"}).ask(request(), call_id(turn=3))
    assert reply.outcome is LlmOutcome.REJECTED
    added = reply.error.partition("add ")[2].replace("{…}", "{}")
    line = ScriptLine.model_validate_json(added)
    assert line.key == ("p1", "generator", "sketch", "3")
    assert "answers.jsonl" in reply.error


async def test_an_answer_may_take_its_time():
    reply = await model({"text": "x", "after_s": 0.02}).ask(request(), call_id())
    assert reply.latency_ms >= 20


def test_a_file_is_read_line_by_line(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text('# a comment\n\n{"problem": "p1", "text": "a\u2028b"}\n', encoding="utf-8")
    assert read_script(file).line(call_id()).text == "a\u2028b"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "JSON"),
        ('{"problem": "p1"}', "`answer`, `text` and `fail`"),
        ('{"answer": {}, "text": ""}', "answer, text"),
        ('{"fail": "answered"}', "failure"),
        ('{"fail": "broken"}', "/fail"),
        ('{"agent": "author", "text": ""}', "/agent"),
        ('{"turn": 0, "text": ""}', "from 1"),
        ('{"colour": 1, "text": ""}', "/colour: unknown field"),
    ],
)
def test_a_wrong_line_is_named_by_file_and_line(tmp_path, line, said):
    file = tmp_path / "answers.jsonl"
    file.write_text(f'{{"text": "good"}}\n{line}\n')
    with pytest.raises(ConfigError, match=r"answers\.jsonl line 2") as caught:
        read_script(file)
    assert said in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.jsonl"):
        read_script(tmp_path / "none.jsonl")
