import pytest

from ragsolver_contracts import testing
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_contracts.problem import Parent, RefusalReason
from ragsolver_contracts.run_config import RunConfig, VerifierConfig
from ragsolver_contracts.verdict import VerdictReason, VerdictStatus
from ragsolver_runtime.errors import PermanentError
from ragsolver_verifier.check import check
from ragsolver_verifier.decide import decide, opens, wants
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, SessionDiedError
from ragsolver_verifier.statement import Statement, elaborate
from suites.scripted_lean import MESSAGE, TOOLCHAIN, ScriptedSession, checked, honest

NAME = "add_zero_nat"


def answers(request):
    """A proof that says `wrong` is wrong; everything else is fine."""
    if request["op"] == "check" and "wrong" in request["source"]:
        return checked(complete=False, messages=[MESSAGE])
    return honest(request)


class Port:
    """The checker's port over a scripted session; a proof that says `dies` kills it."""

    toolchain = TOOLCHAIN

    def __init__(self, statement=None):
        self.session = ScriptedSession(answers)
        self.statement = statement
        self.judged = []
        self.tiers = []

    async def core_header(self, header):
        return "core"

    async def state(self, header, text):
        if isinstance(self.statement, Exception):
            raise self.statement
        return self.statement or elaborate(self.session, header, text, timeout_s=1)

    async def judge(
        self, asked, *, memory_mb=None, stop_at_first=True, tier="checked", dangerous=False
    ):
        said = []
        self.tiers.append(tier)
        for item in asked:
            self.judged.append(item.candidate.proof)
            if "dies" in item.candidate.proof:
                said.append(SessionDiedError("gone"))
                continue
            said.append(check(self.session, item.question, item.candidate, item.limits, memory_mb))
            if stop_at_first and said[-1].status is VerdictStatus.ACCEPTED:
                break
        return said


def submitted(**changes):
    return testing.event(ProblemSubmitted(problem=testing.problem(**changes)))


async def stated(**changes):
    trigger = submitted(**changes)
    port = Port(changes.pop("statement", None))
    (said,) = await decide(Case.fold("r1", NAME, [trigger]), trigger, port)
    return said


def proposed(*proofs):
    last = len(proofs) - 1
    return [
        testing.event(
            CandidateProposed(
                attempt=1,
                candidate=number,
                batch=0,
                closes_batch=number == last,
                closes_attempt=number == last,
                text=CandidateText(proof=proof),
                strategy="test",
            )
        )
        for number, proof in enumerate(proofs)
    ]


async def judged(*proofs, more=()):
    trigger = submitted()
    port = Port()
    events = [trigger]
    events += [
        testing.event(p) for p in await decide(Case.fold("r1", NAME, events), trigger, port)
    ]
    candidates = proposed(*proofs)
    case = Case.fold("r1", NAME, [*events, *candidates, *more])
    return await decide(case, candidates[-1], port), port


async def test_a_statement_is_checked_once():
    trigger = submitted()
    said = await stated()
    assert isinstance(said, StatementChecked)
    assert said.statable
    assert said.compatibility
    case = Case.fold("r1", NAME, [trigger, testing.event(said)])
    assert await decide(case, trigger, Port()) == []


async def test_a_header_of_its_own_stays():
    said = await stated(header="open Nat")
    assert (said.header, said.compatibility) == ("open Nat", False)


async def test_words_only_need_a_model():
    said = await stated(formal_statement=None, declaration=None)
    assert (said.statable, said.reason) == (False, RefusalReason.NEEDS_LLM)


@pytest.mark.parametrize(
    ("header", "reason"),
    [("import Mathlib", RefusalReason.NEEDS_MATHLIB), ("", RefusalReason.STATEMENT_ERROR)],
)
async def test_why_a_statement_does_not_elaborate(header, reason):
    trigger = submitted(header=header)
    port = Port(Statement("h", "t", ok=False, problem="error", detail="unknown ℝ"))
    (said,) = await decide(Case.fold("r1", NAME, [trigger]), trigger, port)
    assert said.reason is reason
    assert "unknown ℝ" in said.detail


async def test_a_statement_beyond_the_limits_is_not_statable():
    trigger = submitted()
    port = Port(LimitExceededError(VerdictReason.TIMEOUT, "slow"))
    (said,) = await decide(Case.fold("r1", NAME, [trigger]), trigger, port)
    assert said.detail == "slow"


async def test_a_dead_lean_says_nothing_of_a_statement():
    trigger = submitted()
    with pytest.raises(LeanFailureError):
        await decide(Case.fold("r1", NAME, [trigger]), trigger, Port(SessionDiedError("gone")))


def test_only_the_last_candidate_of_a_batch_is_work():
    first, last = proposed("a", "b")
    assert not wants(first)
    assert wants(last)
    assert wants(submitted())


def test_a_posted_problem_is_new_and_a_hole_of_another_is_not():
    posted, (candidate,) = submitted(), proposed("a")
    assert opens(posted)
    assert not opens(candidate)
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",))
    hole = posted.data.problem.model_copy(update={"parent": parent})
    assert not opens(testing.event(ProblemSubmitted(problem=hole), problem_id=NAME))


async def test_a_batch_stops_at_the_first_proof():
    verdicts, port = await judged("wrong", "right", "right too")
    assert [v.verdict.status for v in verdicts] == [VerdictStatus.REJECTED, VerdictStatus.ACCEPTED]
    assert [v.closes_batch for v in verdicts] == [False, True]
    assert port.judged == ["wrong", "right"]


async def test_a_death_fails_its_candidate_only():
    payloads, _ = await judged("dies", "wrong", "right")
    assert isinstance(payloads[0], WorkFailed)
    assert (payloads[0].attempt, payloads[0].candidate, payloads[0].stage) == (1, 0, "check")
    assert [p.closes_batch for p in payloads[1:]] == [False, True]


async def test_what_is_judged_is_not_judged_again():
    first, _ = await judged("wrong", "wrong too")
    again, port = await judged("wrong", "wrong too", more=[testing.event(first[0])])
    assert port.judged == ["wrong too"]
    assert all(isinstance(payload, VerdictIssued) for payload in again)


async def test_a_candidate_without_a_statement_is_a_permanent_error():
    candidates = proposed("right")
    case = Case.fold("r1", NAME, [submitted(), *candidates])
    with pytest.raises(PermanentError):
        await decide(case, candidates[-1], Port())


def config(tier):
    return RunConfig(verifier=VerifierConfig(tier=tier))


async def test_the_run_s_tier_is_asked_for():
    trigger = submitted()
    port = Port()
    case = Case.fold("r1", NAME, [trigger], config=config("audited"))
    events = [trigger, *[testing.event(p) for p in await decide(case, trigger, port)]]
    (candidate,) = proposed("by simp")
    case = Case.fold("r1", NAME, [*events, candidate], config=config("audited"))
    await decide(case, candidate, port)
    assert port.tiers == ["audited"]


async def test_a_tier_that_cannot_be_had_is_refused_at_the_start():
    trigger = submitted()
    case = Case.fold("r1", NAME, [trigger], config=config("replayed"))
    with pytest.raises(PermanentError, match=r"replayed.*native toolchain"):
        await decide(case, trigger, Port())


async def test_a_toolchain_with_mathlib_takes_the_header_as_it_is():
    trigger = submitted(header="import Mathlib\nopen Nat")
    port = Port()
    port.toolchain = TOOLCHAIN.model_copy(update={"kind": "native", "mathlib": "m" * 40})
    (said,) = await decide(Case.fold("r1", NAME, [trigger]), trigger, port)
    assert (said.header, said.mathlib) == ("import Mathlib\nopen Nat", True)
    assert not said.compatibility


async def test_with_mathlib_a_statement_error_is_the_statement_s():
    trigger = submitted(header="import Mathlib")
    port = Port(Statement("h", "t", ok=False, problem="error", detail="unknown foo"))
    port.toolchain = TOOLCHAIN.model_copy(update={"kind": "native", "mathlib": "m" * 40})
    (said,) = await decide(Case.fold("r1", NAME, [trigger]), trigger, port)
    assert said.reason is RefusalReason.STATEMENT_ERROR
