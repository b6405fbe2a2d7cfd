"""What real Lean tells of a text beside the verdict: names, goals, kinds of messages."""

import pytest

from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.statement import elaborate
from suites.lean_failures import FAILURES, LIMITS, judge, record, recorded

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

CORE = compatibility_header("", frozenset())
ADD = "theorem t (x y : ℕ) : x + y = y + x"
EQUAL = "theorem t (x y : ℕ) (h : x = y) : y = x"


def accepted(session, text, candidate, header=CORE):
    statement = elaborate(session, header, text, timeout_s=60)
    assert statement.ok, statement.detail
    verdict = check(session, Question(statement), candidate, LIMITS)
    assert verdict.status is VerdictStatus.ACCEPTED, verdict.detail
    return verdict


@pytest.mark.parametrize(
    ("text", "proof", "named"),
    [
        (ADD, "Nat.add_comm x y", ("Nat.add_comm",)),
        (ADD, "@Nat.add_comm x y", ("Nat.add_comm",)),
        (ADD, "x.add_comm y", ("Nat.add_comm",)),
        (ADD, "by apply Nat.add_comm", ("Nat.add_comm",)),
        (ADD, "by rw [Nat.add_comm]", ("Nat.add_comm",)),
        (ADD, "by simp [Nat.add_comm]", ("Nat.add_comm",)),
        (ADD, "by grind [Nat.add_comm]", ("Nat.add_comm",)),
        (ADD, "by omega -- Nat.add_comm", ()),
        (ADD, "by first | exact Nat.mul_comm x y | omega", ("Nat.mul_comm",)),
        (EQUAL, "h.symm", ("Eq.symm",)),
        (EQUAL, ".symm h", ("Eq.symm",)),
        (EQUAL, "by\n  rw [h.symm]", ("Eq.symm",)),
        ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "⟨h.2, h.left⟩", ("And.left", "And.right")),
        ("theorem t (x : ℕ) : x ≤ Nat.succ x", "by\n  omega", ()),
    ],
)
def test_what_the_text_names_is_what_lean_resolved(session, text, proof, named):
    assert accepted(session, text, Candidate(proof)).named_in_proof == named


def test_the_preamble_names_too_and_own_declarations_are_none_of_the_library(session):
    helper = "theorem turn (a b : ℕ) : a + b = b + a := Nat.add_comm a b"
    verdict = accepted(session, ADD, Candidate("turn x y", preamble=helper))
    assert verdict.named_in_proof == ("Nat.add_comm",)


def test_an_opened_name_is_told_in_full(session):
    header = f"{CORE}\nopen Eq"
    verdict = accepted(session, EQUAL, Candidate("symm h"), header)
    assert verdict.named_in_proof == ("Eq.symm",)


def test_the_term_and_the_text_are_kept_apart(session):
    verdict = accepted(session, ADD, Candidate("by first | exact Nat.mul_comm x y | omega"))
    assert "Nat.mul_comm" in verdict.named_in_proof
    assert "Nat.mul_comm" not in verdict.constants


def test_holes_and_errors_of_the_preamble_are_told(session):
    statement = elaborate(session, CORE, ADD, timeout_s=60)
    preamble = "theorem a (p : Prop) : p := by sorry\ntheorem b (q : Prop) : q := by skip"
    verdict = check(session, Question(statement), Candidate("by simp", preamble), LIMITS)
    ends = [goal.rpartition("\n")[2] for goal in verdict.goals]
    assert ends == ["⊢ p", "⊢ q", "⊢ x + y = y + x"]


def test_lean_says_of_failures_what_was_recorded(session):
    said = [record(failure, judge(session, failure)) for failure in FAILURES]
    assert said == list(recorded().values())


def test_every_hole_is_told_with_its_place_and_its_goal_as_elaborated(session):
    text = "theorem t (n m : ℕ) (h : n < m) : n ≠ m ∧ n * n < m * m"
    proof = "by\n  have k : n ≠ m := sorry\n  constructor\n  · sorry\n  · sorry"
    statement = elaborate(session, CORE, text, timeout_s=60)
    verdict = check(session, Question(statement), Candidate(proof), LIMITS)
    first, second, third = verdict.holes
    assert (first.is_term, second.is_term, third.is_term) == (True, False, False)
    assert (second.start.line, second.start.column) == (4, 4)
    assert (second.end.line, second.end.column) == (4, 9)
    assert [binder.name for binder in third.view.binders] == ["n", "m", "h", "k"]
    assert third.view.expression.name == "LT.lt"
    assert third.view.expression.args[0].name == "HMul.hMul"


def test_an_accepted_proof_has_no_holes(session):
    assert accepted(session, ADD, Candidate("Nat.add_comm x y")).holes == ()
