import asyncio
import threading

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_verifier import audit as module
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.audit import AuditError, Auditor
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError, SessionDiedError, SessionStoppedError
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from suites.scripted_lean import MESSAGE, ScriptedSession, checked, honest

STATEMENT = "theorem foo (n : Nat) : n + 0 = n"
LIMITS = CheckLimits(timeout_s=2.0, cpu_s=1.0)
PROOF = Candidate("by simp")


def judged(answer=honest):
    session = ScriptedSession(honest)
    question = Question(elaborate(session, "", STATEMENT, timeout_s=1))
    return question, check(ScriptedSession(answer), question, PROOF, LIMITS)


def rejecting(request):
    if request["op"] == "check":
        return checked(complete=False, messages=[MESSAGE])
    return honest(request)


def other_statement(request):
    answer = honest(request)
    return {**answer, "canon": "(all Nat other)"} if request["op"] == "state" else answer


def no_statement(request):
    answer = honest(request)
    bad = {**answer, "ok": False, "messages": [MESSAGE]}
    return bad if request["op"] == "state" else answer


def other_constants(request):
    return checked(constants=["Nat.zero_add"]) if request["op"] == "check" else honest(request)


def dying(_):
    raise SessionDiedError("gone")


def auditor(answer=honest, **parts):
    sessions = []

    def start():
        sessions.append(ScriptedSession(answer))
        return sessions[-1]

    return Auditor(start, lambda _: None, statement_timeout_s=5.0, **parts), sessions


async def test_a_proof_is_audited_by_a_process_of_its_own_with_patience():
    question, verdict = judged()
    audits, sessions = auditor()
    for _ in range(2):
        again = await audits.raised("audited", verdict, question, PROOF, LIMITS)
        assert again == verdict.model_copy(update={"tier": "audited"})
    assert len(sessions) == 2
    assert [session.alive for session in sessions] == [False, False]
    assert sessions[0].asked[-1]["timeout_s"] == 6.0


async def test_the_lowest_tier_and_what_is_not_accepted_start_nothing():
    question, verdict = judged()
    audits, sessions = auditor()
    assert await audits.raised("checked", verdict, question, PROOF, LIMITS) == verdict
    _, rejected = judged(rejecting)
    assert await audits.raised("audited", rejected, question, PROOF, LIMITS) == rejected
    assert sessions == []


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (rejecting, "rejected (elaboration_error): unsolved goals"),
        (other_statement, "elaborates differently in a second process"),
        (no_statement, "does not elaborate in a second process"),
        (other_constants, "with other constants"),
    ],
)
async def test_processes_that_disagree_make_a_failure_with_both_texts(answer, word):
    question, verdict = judged()
    audits, (sessions) = auditor(answer)
    with pytest.raises(AuditError) as caught:
        await audits.raised("audited", verdict, question, PROOF, LIMITS)
    assert word in str(caught.value)
    if answer in (rejecting, other_constants):
        assert "the first process says: accepted: the kernel accepts foo" in str(caught.value)
    assert not sessions[0].alive


async def test_a_second_process_that_dies_confirms_nothing():
    question, verdict = judged()
    audits, _ = auditor(dying)
    with pytest.raises(LeanFailureError):
        await audits.raised("audited", verdict, question, PROOF, LIMITS)


async def test_a_cancelled_audit_ends_its_process():
    question, verdict = judged()
    reached, ended = threading.Event(), threading.Event()

    def waiting(_):
        reached.set()
        assert ended.wait(20)
        raise SessionStoppedError("closed")

    audits, sessions = auditor(waiting)

    class Closing(ScriptedSession):
        def close(self):
            ended.set()

    audits._start = lambda: sessions.append(Closing(waiting)) or sessions[-1]
    task = asyncio.create_task(audits.raised("audited", verdict, question, PROOF, LIMITS))
    await asyncio.to_thread(reached.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_a_tier_that_cannot_be_had_is_refused_before_anything_starts():
    question, verdict = judged()
    audits, sessions = auditor()
    with pytest.raises(ToolchainMissing, match="native toolchain"):
        await audits.raised("replayed", verdict, question, PROOF, LIMITS)
    assert sessions == []


def test_replaying_comes_after_the_audit_and_can_fail(monkeypatch):
    monkeypatch.setattr(module, "require_tier", lambda *_: None)
    question, verdict = judged()
    seen = []
    audits, _ = auditor(replay=lambda v, seconds: seen.append((v.tier, seconds)))
    raised = audits.raised_here("replayed", verdict, question, PROOF, LIMITS)
    assert (raised.tier, seen) == ("replayed", [("audited", 6.0)])
    without, _ = auditor()
    with pytest.raises(AuditError, match="nothing here can replay"):
        without.raised_here("replayed", verdict, question, PROOF, LIMITS)
    assert without.raised_here("audited", verdict, question, PROOF, LIMITS).tier == "audited"
