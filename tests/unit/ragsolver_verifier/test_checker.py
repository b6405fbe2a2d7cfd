import asyncio
import threading

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.audit import AuditError
from ragsolver_verifier.batch import Asked
from ragsolver_verifier.check import Question
from ragsolver_verifier.checker import Checker
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, SessionDiedError
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings
from suites.scripted_lean import STATE, TOOLCHAIN, ScriptedSession, honest

TEXT = "theorem foo (n : Nat) : n + 0 = n"


def pool(answer, started, sessions=1):
    def start():
        started.append(ScriptedSession(answer))
        return started[-1]

    return SessionPool(start, lambda _: None, PoolSettings(sessions=sessions))


async def judge(answer, proof="by exact Nat.add_zero n"):
    started = []
    async with pool(answer, started) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        statement = await checker.state("", TEXT)
        asked = Asked(Question(statement), Candidate(proof), CheckLimits())
        (said,) = await checker.judge([asked], memory_mb=900)
        return said


async def test_an_accepted_proof_costs_no_second_request():
    asked = []

    def answer(request):
        asked.append(request["op"])
        return honest(request)

    verdict = await judge(answer)
    assert verdict.status is VerdictStatus.ACCEPTED
    assert "names" not in asked


async def test_a_failure_stays_one():
    def answer(request):
        if request["op"] == "check":
            raise SessionDiedError("gone")
        return honest(request)

    assert isinstance(await judge(answer), SessionDiedError)


async def test_a_statement_is_elaborated_once_and_again_in_every_new_session():
    started = []

    def dies_once(request):
        if request["op"] == "check" and len(started) == 1:
            started[0].alive = False
            raise SessionDiedError("gone")
        return honest(request)

    async with pool(dies_once, started) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        statement = await checker.state("", TEXT)
        assert await checker.state("", TEXT) is statement
        asked = Asked(Question(statement), Candidate("rfl"), CheckLimits())
        await checker.judge([asked] * 3, stop_at_first=False)
        assert checker.tally.deaths == 1
    ops = [[request["op"] for request in session.asked] for session in started]
    assert ops[0] == ["state", "state", "check"]
    assert ops[1][:4] == ["state", "check", "check", "check"]


async def test_a_statement_that_does_not_elaborate_is_asked_about_again():
    async with pool(lambda _: {**STATE, "ok": False, "problem": "error"}, []) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        assert not (await checker.state("", TEXT)).ok
        assert not (await checker.state("", TEXT)).ok
        assert checker.tally.requests == 2


async def test_a_statement_beyond_its_limit_says_nothing_of_a_candidate():
    asked = []

    def answer(request):
        asked.append(request["op"])
        if asked.count("state") > 1:
            raise LimitExceededError(VerdictReason.TIMEOUT, "slow")
        return honest(request)

    with pytest.raises(LeanFailureError, match="not elaborated again"):
        await judge(answer)


async def test_a_process_that_dies_at_a_question_is_replaced_and_the_question_asked_again():
    deaths = []

    def answer(request):
        if len(deaths) < 1:
            deaths.append(1)
            raise SessionDiedError("gone")
        return honest(request)

    async with pool(answer, []) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        assert (await checker.state("", TEXT)).ok
        deaths.clear()
        assert await checker.missing(["Nat.add"]) == ()


async def test_the_core_header_opens_what_exists():
    def answer(request):
        return {"missing": [], "missing_namespaces": ["Real"]}

    async with pool(answer, []) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        header = await checker.core_header("import Mathlib\nopen Nat Real")
    assert header.endswith("open Nat")


async def test_missing_names():
    async with pool(lambda r: {"missing": ["Nat.nope"], "missing_namespaces": []}, []) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        assert await checker.missing(["Nat.nope", "Nat.add"]) == ("Nat.nope",)


class Audits:
    """Confirms what it is asked about, unless its proof says `shaky`."""

    async def raised(self, tier, verdict, question, candidate, limits):
        if "shaky" in candidate.proof:
            raise AuditError("the processes disagree")
        return verdict.model_copy(update={"tier": tier})


async def at_tier(tier, *proofs, auditor=None, stop_at_first=True):
    async with pool(honest, []) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5, auditor=auditor)
        question = Question(await checker.state("", TEXT))
        asked = [Asked(question, Candidate(proof), CheckLimits()) for proof in proofs]
        return await checker.judge(asked, stop_at_first=stop_at_first, tier=tier)


async def test_what_is_accepted_is_raised_to_the_tier():
    (said,) = await at_tier("audited", "by simp", "by omega", auditor=Audits())
    assert said.tier == "audited"


async def test_a_proof_that_is_not_confirmed_is_a_failure_and_the_rest_is_judged():
    shaky, good = await at_tier("audited", "shaky", "by simp", "by omega", auditor=Audits())
    assert isinstance(shaky, AuditError)
    assert good.tier == "audited"


async def test_a_whole_batch_is_raised_once():
    said = await at_tier("audited", "a", "shaky", "b", auditor=Audits(), stop_at_first=False)
    assert [getattr(s, "tier", "failed") for s in said] == ["audited", "failed", "audited"]


async def test_without_an_auditor_no_lower_tier_is_given_in_silence():
    (said,) = await at_tier("audited", "by simp")
    assert isinstance(said, LeanFailureError)
    (said,) = await at_tier("checked", "by simp")
    assert said.tier == "checked"


async def test_dangerous_checks_leave_a_session_to_the_others():
    """Two endless dangerous batches on two sessions: a calm one is judged all the same."""
    released = threading.Event()

    def answer(request):
        if request["op"] == "check" and "danger" in request["source"]:
            assert released.wait(20)
        return honest(request)

    async with pool(answer, [], sessions=2) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        statement = await checker.state("", TEXT)

        def asked(proof):
            return [Asked(Question(statement), Candidate(proof), CheckLimits())]

        risky = [
            asyncio.create_task(checker.judge(asked("danger"), dangerous=True)) for _ in range(2)
        ]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(10):
            (said,) = await checker.judge(asked("rfl"))
        assert isinstance(said, Verdict)
        assert not any(task.done() for task in risky)
        released.set()
        assert all(await asyncio.gather(*risky))
