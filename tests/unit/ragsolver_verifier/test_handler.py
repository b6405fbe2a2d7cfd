import pytest

from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.worker import WorkerContext
from ragsolver_verifier import handler
from ragsolver_verifier.handler import WORKER, open_checker
from ragsolver_verifier.settings import VerifierSettings
from suites.fake_repl import fake_program
from suites.scripted_lean import ScriptedSession, honest


async def never(_run, _problem):
    raise AssertionError


async def test_a_checker_owns_its_sessions(tmp_path, monkeypatch):
    sessions = []

    def start(*_, **__):
        sessions.append(ScriptedSession(honest))
        return sessions[-1]

    program = fake_program(tmp_path)
    monkeypatch.setattr(handler, "installed_program", lambda *_, **__: program)
    monkeypatch.setattr(handler, "LeanProcess", start)
    async with open_checker(VerifierSettings(sessions=2)) as checker:
        statement = await checker.state("", "theorem foo (n : Nat) : n + 0 = n")
        assert statement.ok
    assert all(session.closed for session in sessions)


async def test_an_unknown_setting_is_refused():
    context = WorkerContext("verifier", "one", {"sesions": 2}, never)
    with pytest.raises(ConfigError, match="sesions"):
        async with WORKER.open(context):
            pass


def test_the_verifier_alone_issues_verdicts():
    assert WORKER.role == "verifier"
    assert ProblemSubmitted in WORKER.triggers
    assert {kind.NAME for kind in WORKER.emits} == {
        "statement_checked",
        "verdict_issued",
        "work_failed",
    }
