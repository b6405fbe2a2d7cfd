import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_runtime.recheck import RecheckItem
from ragsolver_verifier import recheck as module
from ragsolver_verifier.errors import SessionDiedError
from ragsolver_verifier.recheck import recheck, recheck_one
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from suites.scripted_lean import MESSAGE, ScriptedSession, checked, honest

STATEMENT = "theorem foo (n : Nat) : n + 0 = n"


def item(**changes):
    digest = elaborate(ScriptedSession(honest), "", STATEMENT, timeout_s=1).digest
    values = {
        "problem_id": "p",
        "header": "",
        "statement": STATEMENT,
        "declaration": "foo",
        "preamble": "",
        "proof": "by simp",
        "negated": False,
        "statement_digest": digest,
        "source": f"{STATEMENT} := by simp",
        "limits": CheckLimits(timeout_s=2.0),
        "mathlib": False,
    }
    return RecheckItem(**{**values, **changes})


def test_a_proof_is_accepted_again_with_patience():
    session = ScriptedSession(honest)
    assert recheck_one(session, item(), 5.0).accepted
    assert session.asked[-1]["timeout_s"] == 6.0


@pytest.mark.parametrize("changes", [{"statement_digest": "0" * 64}, {"source": "another text"}])
def test_what_was_recorded_must_be_what_is_checked(changes):
    result = recheck_one(ScriptedSession(honest), item(**changes), 5.0)
    assert (result.accepted, result.failed) == (False, False)
    assert result.detail


def test_a_rejected_proof_says_why():
    def answer(request):
        if request["op"] == "check":
            return checked(complete=False, messages=[MESSAGE])
        return honest(request)

    assert "unsolved" in recheck_one(ScriptedSession(answer), item(), 5.0).detail


def test_without_a_toolchain_nothing_is_said_of_the_proofs(monkeypatch):
    def missing(**_):
        raise ToolchainMissing("run `ragsolver lean install`")

    monkeypatch.setattr(module, "installed_program", missing)
    (result,) = recheck([item()])
    assert (result.accepted, result.failed) == (False, True)


def test_a_dead_process_fails_one_item_and_is_started_again(monkeypatch):
    def die(_):
        raise SessionDiedError("gone")

    sessions = [ScriptedSession(honest), ScriptedSession(die)]
    monkeypatch.setattr(module, "installed_program", lambda **_: None)
    monkeypatch.setattr(module, "start_session", lambda *_: sessions.pop())
    results = recheck([item(problem_id="a"), item(problem_id="b")])
    first = next(iter(results))
    assert first.failed


def test_nothing_to_check_starts_nothing(monkeypatch):
    monkeypatch.setattr(module, "installed_program", lambda **_: None)
    assert list(recheck([])) == []


def test_each_proof_is_asked_of_the_toolchain_that_accepted_it(monkeypatch):
    chosen = []
    monkeypatch.setattr(module, "installed_program", lambda *, choice: chosen.append(choice))
    monkeypatch.setattr(module, "start_session", lambda *_: ScriptedSession(honest))
    kinds = ("embedded", "embedded", "native")
    results = list(recheck([item(toolchain=kind) for kind in kinds]))
    assert [r.accepted for r in results] == [True, True, True]
    assert chosen == ["embedded", "native"]
