import io
import json
import logging

import pytest

from ragsolver_runtime.logs import log_scope, set_up


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
