import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.verdict import INCONCLUSIVE_REASONS, VerdictReason, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LimitExceededError, ProtocolError, SessionDiedError
from ragsolver_verifier.statement import elaborate
from suites.scripted_lean import MESSAGE, ScriptedSession, checked, honest

LIMITS = CheckLimits(max_heartbeats=5_000, timeout_s=7.0, cpu_s=5.0, output_mb=3)


@pytest.fixture
def statement():
    return elaborate(
        ScriptedSession(honest), "open Nat", "theorem foo (n : Nat) : n + 0 = n", timeout_s=1
    )


def judged(statement, answer, *, negated=False):
    session = ScriptedSession(answer)
    return check(session, Question(statement, negated), Candidate("by simp"), LIMITS), session


def test_complete_evidence_is_accepted(statement):
    verdict, session = judged(statement, honest)
    assert verdict.status is VerdictStatus.ACCEPTED
    assert verdict.constants == ("Eq", "Nat.add_zero")
    assert verdict.named_in_proof == ("Nat.add_zero", "rfl")
    assert (verdict.goals, verdict.error_class) == ((), None)
    assert verdict.source == "open Nat\n\ntheorem foo (n : Nat) : n + 0 = n := by simp"
    assert verdict.statement_digest == statement.digest
    assert session.asked[0]["max_heartbeats"] == 5_000
    assert session.asked[0]["timeout_s"] == 7.0
    assert session.asked[0]["cpu_s"] == 5.0
    assert session.asked[0]["output_mb"] == 3


def test_a_verdict_says_what_stood_around_it_and_what_it_used(statement):
    verdict, session = judged(statement, honest)
    assert verdict.isolation == session.isolation
    assert verdict.cpu_ms == 250.0


def test_the_negation_is_asked_for_in_leans_own_words(statement):
    verdict, session = judged(statement, honest, negated=True)
    assert verdict.negated
    assert session.asked[0]["negated"] is True
    assert "¬" in session.asked[0]["source"]


def test_a_rejection_carries_messages_and_goals(statement):
    verdict, _ = judged(
        statement,
        lambda r: checked(
            complete=False, messages=[MESSAGE], axioms=["sorryAx"], goals=["⊢ False"]
        ),
    )
    assert verdict.reason is VerdictReason.ELABORATION_ERROR
    assert verdict.goals == ("⊢ False",)
    assert verdict.error_class is ErrorClass.UNSOLVED_GOALS
    assert (verdict.constants, verdict.named_in_proof) == ((), ())
    assert verdict.diagnostics[0].start.line == 1


@pytest.mark.parametrize("reason", sorted(INCONCLUSIVE_REASONS))
def test_a_limit_is_inconclusive(statement, reason):
    def stop(_):
        raise LimitExceededError(reason, "too much")

    verdict, _ = judged(statement, stop)
    assert (verdict.status, verdict.reason) == (VerdictStatus.INCONCLUSIVE, reason)


def test_a_death_is_no_verdict(statement):
    def die(_):
        raise SessionDiedError("gone")

    with pytest.raises(SessionDiedError):
        judged(statement, die)


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "another"},
        {"statement_ok": False},
        {"canon": "another type"},
        {"statement_name": "bar"},
        {"result": None},
        {"result": {"status": "checked"}},
        {"error": "cannot"},
    ],
)
def test_an_answer_about_something_else_is_no_verdict(statement, wrong):
    with pytest.raises(ProtocolError):
        judged(statement, lambda r: {**checked(), **wrong})


@pytest.mark.parametrize("changes", [{"complete": False}, {"axioms": ["sorryAx"]}])
def test_checker_and_verifier_must_agree(statement, changes):
    with pytest.raises(ProtocolError, match="differently"):
        judged(statement, lambda r: checked(**changes))
