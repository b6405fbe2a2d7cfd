import json

import pytest
from click.testing import CliRunner

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_verifier import check_file as module
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.cli_check import check_command
from ragsolver_verifier.errors import SessionDiedError
from ragsolver_verifier.statement import elaborate
from suites.scripted_lean import MESSAGE, ScriptedSession, checked, honest


def verdict(answer=honest):
    statement = elaborate(ScriptedSession(honest), "", "theorem foo : 1 = 1", timeout_s=1)
    return check(ScriptedSession(answer), Question(statement), Candidate("x"), CheckLimits())


def wrong(request):
    return checked(request, complete=False, messages=[MESSAGE])


@pytest.fixture
def run(tmp_path, monkeypatch):
    def _run(result, *options):
        def _check_file(*_, **__):
            if isinstance(result, Exception):
                raise result
            return result

        monkeypatch.setattr(module, "check_file", _check_file)
        file = tmp_path / "a.lean"
        file.write_text("theorem foo : 1 = 1 := rfl")
        return CliRunner().invoke(check_command, [str(file), *options])

    return _run


def test_accepted(run):
    done = run({"foo": verdict()})
    assert done.exit_code == 0
    assert done.output.startswith("accepted: foo")


def test_rejected(run):
    done = run({"foo": verdict(), "bar": verdict(wrong)})
    assert done.exit_code == 1
    assert "rejected (elaboration_error): bar" in done.output
    assert "1:0: error: unsolved goals" in done.output


def test_unchecked_is_not_accepted(run):
    done = run({"foo": "it stands after an error"})
    assert (done.exit_code, done.output) == (1, "unchecked: foo: it stands after an error\n")


def test_machine_readable(run):
    done = run({"foo": verdict(), "bar": "no"}, "--json")
    first, second = map(json.loads, done.output.splitlines())
    assert (first["name"], first["status"]) == ("foo", "accepted")
    assert second == {"name": "bar", "unchecked": "no"}


def test_no_question(run):
    assert run(module.NoQuestionError("the file has no theorem")).exit_code == 2


def test_a_failure_is_no_rejection(run):
    assert run(SessionDiedError("gone")).exit_code == 3


def test_not_text(tmp_path):
    file = tmp_path / "a.lean"
    file.write_bytes(b"\xff\xfe")
    done = CliRunner().invoke(check_command, [str(file)])
    assert done.exit_code == 2
    assert "UTF-8" in done.output
