import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictReason, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question
from ragsolver_verifier.checker import Checker
from ragsolver_verifier.errors import LimitExceededError, SessionDiedError
from ragsolver_verifier.pool import PoolSettings, SessionPool
from suites.scripted_lean import TOOLCHAIN, ScriptedSession, honest

TEXT = "theorem foo (n : Nat) : n + 0 = n"


def pool(answer, started):
    def start():
        started.append(ScriptedSession(answer))
        return started[-1]

    return SessionPool(start, lambda _: None, PoolSettings(sessions=1))


async def judge(answer, proof="by exact Nat.add_zero n"):
    started = []
    async with pool(answer, started) as sessions:
        checker = Checker(sessions, TOOLCHAIN, statement_timeout_s=5)
        statement = await checker.state("", TEXT)
        return await checker.judge(Question(statement), Candidate(proof), CheckLimits(), 900)


async def test_an_accepted_proof_says_which_names_it_mentions():
    def answer(request):
        if request["op"] == "names":
            missing = [name for name in request["names"] if not name.startswith("Nat.")]
            return {"missing": missing, "missing_namespaces": []}
        return honest(request)

    verdict = await judge(answer)
    assert verdict.status is VerdictStatus.ACCEPTED
    assert verdict.named_in_proof == ("Nat.add_zero",)


async def test_a_death_is_tried_once_more():
    deaths = []

    def answer(request):
        if request["op"] == "check" and not deaths:
            deaths.append(1)
            raise SessionDiedError("gone")
        return honest(request)

    assert (await judge(answer)).status is VerdictStatus.ACCEPTED


async def test_two_deaths_are_a_failure_and_no_verdict():
    def answer(request):
        if request["op"] == "check":
            raise SessionDiedError("gone")
        return honest(request)

    with pytest.raises(SessionDiedError):
        await judge(answer)


async def test_a_limit_is_not_tried_again():
    tries = []

    def answer(request):
        if request["op"] == "check":
            tries.append(1)
            raise LimitExceededError(VerdictReason.TIMEOUT, "slow")
        return honest(request)

    verdict = await judge(answer)
    assert (verdict.status, len(tries)) == (VerdictStatus.INCONCLUSIVE, 1)


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
