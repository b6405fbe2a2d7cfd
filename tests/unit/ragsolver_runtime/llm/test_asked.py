import json

import pytest

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.run_config import AgentModel, LlmConfig
from ragsolver_runtime.llm.asked import asked, no_answer, value_of
from ragsolver_runtime.llm.port import Answer, NoAnswer
from suites.asking_world import GOOD, Word, question, reply, submitted

CONFIG = LlmConfig(
    model="m1",
    max_tokens=10,
    parameters={"temperature": 0},
    agents={"planner": AgentModel(model="m2", parameters={"top_p": 1})},
)


def test_a_request_is_the_agents_own():
    request = asked(CONFIG, submitted(), question()).request
    assert (request.model, request.max_tokens) == ("m2", 10)
    assert request.parameters == {"temperature": 0, "top_p": 1}
    assert request.messages[0].content[0].text == "Say a word."
    assert request.answer_schema == Word.model_json_schema()
    assert asked(CONFIG, submitted(), question(agent="critic")).request.model == "m1"


def test_the_same_question_has_the_same_hash_and_any_other_another():
    def hash_of(config=CONFIG, **changes):
        return asked(config, submitted(), question(**changes)).request_hash

    assert hash_of() == hash_of()
    hashes = {hash_of(), hash_of(text="x"), hash_of(CONFIG.model_copy(update={"max_tokens": 9}))}
    assert len(hashes) == 3


def test_an_answer_is_json_and_nothing_else():
    assert value_of(question(), GOOD) == Word(word="yes")
    assert value_of(question(), f" {GOOD}\n") == Word(word="yes")


@pytest.mark.parametrize("text", ["", "Here: " + GOOD, f"```json\n{GOOD}\n```", GOOD + GOOD, "[]"])
def test_whatever_else_it_is_named_with_its_place(text):
    assert str(value_of(question(), text)).startswith("not a Word: ")


def test_a_fault_says_where_it_is():
    assert "/word" in str(value_of(question(), json.dumps({"word": 3})))


def test_a_record_says_everything_of_a_try():
    what = asked(CONFIG, submitted(), question())
    called = what.called(4, 1, reply(), 0.5)
    assert (called.call, called.retry, called.cost_usd) == (4, 1, 0.5)
    assert (called.model, called.request_hash) == ("m2", what.request_hash)
    assert called.parameters == {"temperature": 0, "top_p": 1, "max_tokens": 10}
    assert what.told(called) == Answer(Word(word="yes"), 4)


def test_a_recorded_answer_that_no_longer_fits_is_invalid():
    what = asked(CONFIG, submitted(), question())
    called = what.called(1, 0, reply(), 0.0).model_copy(update={"response": "{}"})
    told = what.told(called)
    assert isinstance(told, NoAnswer)
    assert told.outcome is LlmOutcome.INVALID


def test_a_failure_is_told_with_its_reason():
    called = asked(CONFIG, submitted(), question()).called(1, 0, reply("refused", error="no"), 0.0)
    assert no_answer(called).message == "m2 gave the planner no plan: refused (no)"
