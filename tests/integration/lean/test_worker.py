"""The verifier's decisions on real Lean processes, with limits, deaths and cancellation."""

import asyncio

import pytest

from ragsolver_contracts import testing
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_work import CandidateProposed
from ragsolver_verifier.decide import decide
from ragsolver_verifier.handler import open_checker
from ragsolver_verifier.settings import VerifierSettings

pytestmark = [pytest.mark.connected, pytest.mark.timeout(400)]

NAME = "add_zero_nat"
DEATH = f"{'(' * 20_000}rfl{')' * 20_000}"
ENDLESS = "by\n  have : 3 ^ 16777215 % 7 = 6 := by decide +kernel\n  simp"


@pytest.fixture
async def checker(program):
    async with open_checker(
        VerifierSettings(sessions=1, toolchain=program.toolchain.kind)
    ) as opened:
        yield opened


async def case_with(checker, *proofs, timeout_s=30.0):
    header = "import Mathlib\nopen Nat Real"
    text = f"theorem {NAME} (n : ℕ) : n + 0 = n"
    problem = testing.problem(formal_statement=text, header=header)
    submitted = testing.event(ProblemSubmitted(problem=problem))
    (said,) = await decide(Case.fold("r1", NAME, [submitted]), submitted, checker)
    last = len(proofs) - 1
    candidates = [
        testing.event(
            CandidateProposed(
                attempt=1,
                candidate=number,
                batch=0,
                closes_batch=number == last,
                closes_attempt=number == last,
                text=CandidateText(proof=proof),
                strategy="test",
                limits=CheckLimits(timeout_s=timeout_s),
            )
        )
        for number, proof in enumerate(proofs)
    ]
    case = Case.fold("r1", NAME, [submitted, testing.event(said), *candidates])
    return case, candidates[-1]


async def test_only_the_guilty_candidate_suffers(checker):
    case, trigger = await case_with(checker, "by omega_", DEATH, "by simp", "by rfl")
    payloads = await decide(case, trigger, checker)
    failed, *verdicts = payloads
    assert isinstance(failed, WorkFailed)
    assert failed.candidate == 1
    assert [v.verdict.status.value for v in verdicts] == ["rejected", "accepted"]
    assert verdicts[-1].closes_batch


async def test_an_endless_check_is_inconclusive_and_the_next_one_is_done(checker):
    case, trigger = await case_with(checker, ENDLESS, "by simp", timeout_s=5.0)
    first, second = await decide(case, trigger, checker)
    assert first.verdict.reason.value == "timeout"
    assert second.verdict.status.value == "accepted"
    assert second.verdict.mathlib is False


async def test_a_cancelled_check_ends_at_once(checker):
    case, trigger = await case_with(checker, ENDLESS, timeout_s=300.0)
    work = asyncio.create_task(decide(case, trigger, checker))
    await asyncio.sleep(1)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    case, trigger = await case_with(checker, "by simp")
    (verdict,) = await decide(case, trigger, checker)
    assert verdict.verdict.status.value == "accepted"
