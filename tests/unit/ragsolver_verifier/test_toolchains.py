from dataclasses import replace

import pytest

from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, SessionDiedError
from ragsolver_verifier.isolation import IsolationPolicy
from ragsolver_verifier.session import Program
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchains import advisories, auditor_for, installed_program, warm
from suites.native_stub import built
from suites.scripted_lean import TOOLCHAIN, ScriptedSession, honest


def test_advisories_are_named_by_their_ids():
    assert "lean4-14576-nested-inductive-parameters" in advisories("4.28.0-pre")
    assert "lean4-14576-nested-inductive-parameters" not in advisories("4.32.2")


def test_a_session_is_warm_after_its_first_answer():
    session = ScriptedSession(honest)
    warm(session, 1.0)
    assert session.requests == 1


def test_a_damaged_library_is_noticed():
    session = ScriptedSession(lambda _: {"missing": ["Nat.add_comm"]})
    with pytest.raises(LeanFailureError, match="damaged"):
        warm(session, 1.0)


def test_a_start_that_takes_too_long_is_a_failure():
    def slow(_):
        raise LimitExceededError(VerdictReason.TIMEOUT, "slow")

    with pytest.raises(SessionDiedError, match="slow"):
        warm(ScriptedSession(slow), 1.0)


def test_the_toolchain_that_was_chosen_is_never_replaced(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    with pytest.raises(ToolchainMissing, match="lean install --native"):
        installed_program(choice="native")
    for choice in ("embedded", "auto"):
        with pytest.raises(ToolchainMissing, match="embedded"):
            installed_program(choice=choice)
    built(tmp_path)
    for choice in ("native", "auto"):
        assert installed_program(IsolationPolicy.OFF, choice=choice).toolchain.kind == "native"
    with pytest.raises(ToolchainMissing, match="embedded"):
        installed_program()


def test_only_the_native_toolchain_gets_something_that_replays(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    program = Program(tmp_path, tmp_path, TOOLCHAIN)
    assert auditor_for(program, VerifierSettings())._replay is None
    native = replace(program, toolchain=TOOLCHAIN.model_copy(update={"kind": "native"}))
    assert auditor_for(native, VerifierSettings())._replay is None
    built(tmp_path)
    assert auditor_for(native, VerifierSettings())._replay is not None
