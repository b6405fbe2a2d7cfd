"""Holes of real sketches: their theorems elaborate, and their proofs fit where the holes were."""

import re

import pytest

from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.verdict import VerdictReason, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.header import compatibility_header
from ragsolver_verifier.statement import elaborate
from suites.family_world import Told, skeleton, sketch
from suites.lean_failures import LIMITS

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

CORE = compatibility_header("", frozenset())

PLAIN = (
    "theorem t (n m : ℕ) (h : n < m) : n ≠ m ∧ n * n < m * m",
    "by\n  have h1 : n ≠ m := sorry\n  constructor\n  · exact h1\n  · sorry",
    ("by\n  intro e\n  subst e\n  omega", "Nat.mul_self_lt_mul_self h"),
)
HIDDEN = (
    "theorem t.{u} {α : Type u} [BEq α] [LawfulBEq α] (p q : Prop) (a : α) : "
    "p → (a == a) = true → (q → p ∧ q) ∧ (a == a) = true",
    "by\n  intro x\n  intros\n  constructor\n  · intro x\n    sorry\n  · sorry",
    ("And.intro x_1 x", "by simp"),
)
OWN_LEMMAS = (
    "theorem Nat.t (n : ℕ) : n + 0 = n ∧ 0 + n = n",
    "⟨sorry, by\n    have this : n = n := rfl\n    sorry⟩",
    ("by exact own n", "by\n  have k := this\n  exact own n"),
    ("theorem own (n : ℕ) : n + 0 = n := rfl", "theorem own (n : ℕ) : 0 + n = n := by simp"),
)


def judged(session, text, proof, preamble=""):
    statement = elaborate(session, CORE, text, timeout_s=60)
    assert statement.ok, f"{text}: {statement.detail}"
    return statement, check(session, Question(statement), Candidate(proof, preamble), LIMITS)


@pytest.mark.parametrize("known", [PLAIN, HIDDEN, OWN_LEMMAS], ids=["plain", "hidden", "lemmas"])
async def test_holes_become_theorems_whose_proofs_fill_them(session, known):
    text, proof, proofs, preambles = (*known, ("", ""))[:4]
    statement, open_verdict = judged(session, text, proof)
    assert open_verdict.reason is VerdictReason.CONTAINS_SORRY, open_verdict.diagnostics
    told = Told(
        sketch(proof=proof),
        skeleton(proof),
        VerdictIssued(attempt=1, candidate=0, verdict=open_verdict),
        goal=statement.view,
        formal_statement=text,
        declaration=re.search(r"theorem ([\w.]+?)[ .]", text)[1],
        header=CORE,
    )
    decomposed, *submitted = await told.critic()
    assert isinstance(decomposed, ProblemDecomposed), decomposed
    told.say(decomposed)
    for child, body, preamble in zip(submitted, proofs, preambles, strict=True):
        _, solved = judged(session, child.problem.formal_statement, body, preamble)
        said = [child.problem.formal_statement, solved.detail, solved.diagnostics]
        assert solved.status is VerdictStatus.ACCEPTED, said
        told.say(
            HoleClosed(
                attempt=1,
                hole_id=child.problem.parent.hole_id,
                child_id=child.problem.problem_id,
                outcome=Outcome.SOLVED,
                text=CandidateText(proof=body, preamble=preamble),
            )
        )
    candidates = await told.formalizer()
    assert len(candidates) == (1 if any(preambles) else 2)
    for item in candidates:
        _, whole = judged(session, text, item.text.proof, item.text.preamble)
        said = [item.text.preamble, item.text.proof, whole.detail, whole.diagnostics]
        assert whole.status is VerdictStatus.ACCEPTED, "\n".join(map(str, said))
