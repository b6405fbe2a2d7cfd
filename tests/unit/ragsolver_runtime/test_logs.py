import asyncio
import io
import json
import logging

import pytest

from ragsolver_contracts.events_work import AttemptCritiqued
from ragsolver_contracts.testing import event
from ragsolver_runtime import logs
from ragsolver_runtime.logs import event_scope, log_scope, set_up


@pytest.fixture(autouse=True)
def _root_logger_as_before():
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    for handler in handlers:
        root.removeHandler(handler)
    yield
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)


def test_machines_get_json_with_run_and_problem(tmp_path):
    file = tmp_path / "logs" / "verifier.jsonl"
    set_up("verifier", file=file, quiet=True)
    with log_scope(run="r1", problem="ä"):
        logging.getLogger("x").info("checked %d", 3)
    logging.getLogger("x").debug("too fine")
    logging.getLogger("x").info("outside")
    first, second = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert (first["role"], first["level"], first["text"]) == ("verifier", "info", "checked 3")
    assert (first["run"], first["problem"]) == ("r1", "ä")
    assert "run" not in second


def test_machines_get_the_traceback_and_people_one_line(tmp_path):
    file, people = tmp_path / "log", io.StringIO()
    set_up("critic", file=file, stream=people)
    with log_scope(run="r1", problem="p"):
        try:
            int("why")
        except ValueError:
            logging.getLogger("x").exception("it failed")
    logging.getLogger("x").info("not for people")
    assert (
        "ValueError: invalid literal" in json.loads(file.read_text().splitlines()[0])["traceback"]
    )
    (line,) = people.getvalue().splitlines()
    assert line.endswith("critic error p: it failed")


def test_setting_up_twice_logs_once():
    people = io.StringIO()
    set_up("a", stream=people)
    set_up("a", stream=people)
    logging.getLogger("x").warning("once")
    assert people.getvalue().count("once") == 1


def test_scopes_nest_and_end():
    people = io.StringIO()
    set_up("a", stream=people)
    with log_scope(run="r1"), log_scope(problem="p"):
        pass
    logging.getLogger("x").warning("after")
    assert " p:" not in people.getvalue()


TRIGGER = event(AttemptCritiqued(attempt=2, error_class="timeout", route="retry")).model_copy(
    update={"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
)


async def test_every_record_of_a_delivery_tells_which_in_tasks_and_threads_too(tmp_path):
    file = tmp_path / "critic.jsonl"
    set_up("critic", file=file, quiet=True)
    log = logging.getLogger("x")

    async def inner():
        log.info("task")
        await asyncio.to_thread(log.info, "thread")

    with event_scope(TRIGGER, 3):
        log.info("here")
        await asyncio.create_task(inner())
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert [record["text"] for record in records] == ["here", "task", "thread"]
    for record in records:
        told = {name: record[name] for name in ("run", "problem", "event", "type", "delivery")}
        assert told == {
            "run": "r1",
            "problem": "add_zero_nat",
            "event": TRIGGER.id,
            "type": "attempt_critiqued",
            "delivery": "3",
        }
        assert record["attempt"] == "2"
        assert record["trace"] == "0af7651916cd43dd8448eb211c80319c"


def test_secrets_are_struck_out_of_texts_and_tracebacks(tmp_path):
    file, people = tmp_path / "log", io.StringIO()
    set_up("critic", file=file, stream=people, secrets=("sk-1234",))
    try:
        int("sk-1234")
    except ValueError:
        logging.getLogger("x").exception("with sk-1234")
    assert "sk-1234" not in file.read_text() + people.getvalue()
    assert json.loads(file.read_text())["text"] == "with [secret]"
    assert "base 10: '[secret]'" in json.loads(file.read_text())["traceback"]


def test_machines_may_read_the_stream(tmp_path):
    stream = io.StringIO()
    set_up("critic", stream=stream, form="json")
    logging.getLogger("x").info("done")
    assert json.loads(stream.getvalue())["text"] == "done"


def test_a_log_file_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "FILE_BYTES", 2000)
    set_up("critic", file=tmp_path / "c.jsonl", quiet=True)
    for number in range(200):
        logging.getLogger("x").info("record %d", number)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["c.jsonl", "c.jsonl.1", "c.jsonl.2"]
    assert all(path.stat().st_size <= 2000 for path in tmp_path.iterdir())
