import json
from types import SimpleNamespace

import pytest

from ragsolver_contracts.events_run import ProblemRefused, ProblemSubmitted
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.subjects import submit_answer
from ragsolver_runtime.admission import INBOX, RawInput
from ragsolver_runtime.intake import (
    LINE_HEADER,
    RUN_HEADER,
    Answers,
    Intake,
    _decide_one,
    raw_input,
)
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.telemetry.watching import Handled
from ragsolver_runtime.testing import start_run
from suites.fake_bus import FakeClient


def raw(run_id=None, line=None, /, **fields):
    values = {"name": "a", "formal_statement": "theorem a : 1 = 1"} | fields
    return RawInput(json.dumps(values).encode(), run_id, line)


async def made(*runs):
    client = FakeClient()
    publisher, reader = Publisher(client), EventReader(client)
    for run in runs:
        await start_run(publisher, run)
    return Intake(publisher, reader, "one", RunConfig(name="standing")), reader


async def test_an_input_becomes_a_problem_once():
    intake, reader = await made("r1")
    first, second = [await intake.decide(raw(run_id="r1")) for _ in range(2)]
    assert (first.status, first.problem_id, first.duplicate) == ("accepted", "a", False)
    assert second == first.model_copy(update={"duplicate": True})
    (event,) = await reader.read_problem("r1", "a")
    assert isinstance(event.data, ProblemSubmitted)
    assert event.source == "intake/one"


async def test_another_input_of_the_same_name_is_refused_and_recorded():
    intake, reader = await made("r1")
    await intake.decide(raw(run_id="r1"))
    refused = await intake.decide(raw("r1", 7, run_id="r1", formal_statement="theorem a : 2 = 2"))
    assert (refused.status, refused.reason) == ("refused", RefusalReason.DUPLICATE)
    (event,) = await reader.read_problem("r1", refused.problem_id)
    assert isinstance(event.data, ProblemRefused)
    assert (event.data.line, event.data.name) == (7, "a")


async def test_the_same_name_in_two_runs_is_two_problems():
    intake, _ = await made("r1", "r2")
    replies = [await intake.decide(raw(run_id=run)) for run in ("r1", "r2")]
    assert [reply.status for reply in replies] == ["accepted", "accepted"]


async def test_the_inbox_is_started_on_first_use_with_its_own_configuration():
    intake, reader = await made()
    assert (await intake.decide(raw())).run_id == INBOX
    assert (await reader.run_config(INBOX)).name == "standing"


async def test_an_unknown_run_is_refused_where_it_can_be_found():
    intake, reader = await made()
    reply = await intake.decide(raw(run_id="r404"))
    assert (reply.reason, reply.run_id, reply.pointer) == (
        RefusalReason.UNKNOWN_RUN,
        INBOX,
        "/run_id",
    )
    assert [e.name for e in await reader.read_problem(INBOX, reply.problem_id)] == [
        "problem_refused"
    ]


async def test_a_refused_input_is_answered_the_same_again():
    intake, _ = await made("r1")
    first, second = [await intake.decide(RawInput(b"{nope", "r1", 3)) for _ in range(2)]
    assert first.reason is RefusalReason.BAD_JSON
    assert second == first.model_copy(update={"duplicate": True})


@pytest.mark.parametrize(
    ("headers", "run_id", "line"),
    [
        (None, None, None),
        ({RUN_HEADER: "r1", LINE_HEADER: "7"}, "r1", 7),
        ({RUN_HEADER: "", LINE_HEADER: "0"}, None, None),
        ({LINE_HEADER: "-1"}, None, None),
        ({LINE_HEADER: "²"}, None, None),
    ],
)
def test_headers_say_run_and_line(headers, run_id, line):
    read = raw_input(SimpleNamespace(data=b"x", headers=headers))
    assert (read.run_id, read.line) == (run_id, line)


def asking(content=b"x", reply="_INBOX.1"):
    return SimpleNamespace(data=content, headers=None, reply=reply)


def answering(content=b"x", answer=b"yes"):
    subject = submit_answer(RawInput(content).key)
    return SimpleNamespace(subject=subject, data=answer)


async def test_who_asked_gets_the_decision_whichever_comes_first():
    client = FakeClient()
    answers = Answers(client)
    await answers.asked(asking(reply="_INBOX.1"))
    await answers.decided(answering(answer=b"one"))
    await answers.decided(answering(answer=b"two"))
    await answers.asked(asking(reply="_INBOX.2"))
    assert client.published == [("_INBOX.1", b"one"), ("_INBOX.2", b"two")]


async def test_every_poster_is_answered_once_and_others_are_not():
    client = FakeClient()
    answers = Answers(client)
    await answers.asked(asking(reply=""))
    await answers.asked(asking(reply="_INBOX.1"))
    await answers.asked(asking(b"other", reply="_INBOX.2"))
    await answers.decided(answering(answer=b"one"))
    await answers.decided(answering(answer=b"again"))
    assert client.published == [("_INBOX.1", b"one")]


async def test_an_old_decision_is_not_given_to_a_new_poster(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.intake._EARLY_ANSWERS_S", -1.0)
    client = FakeClient()
    answers = Answers(client)
    await answers.decided(answering())
    await answers.decided(answering(b"other"))
    await answers.asked(asking())
    assert client.published == []
    assert len(answers._early) <= 1


async def test_what_a_read_put_among_the_inputs_is_dropped():
    settled = []

    async def term():
        settled.append("term")

    message = SimpleNamespace(data=b"{}", headers={"Nats-Stream": "RS_EVENTS"}, term=term)
    assert await _decide_one(None, None, message) is Handled.REFUSED
    assert settled == ["term"]
