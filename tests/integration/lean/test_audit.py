"""The tier `audited` on real processes: the second one is started for the proof alone."""

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.audit import AuditError, confirm
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchains import auditor_for

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

LIMITS = CheckLimits(max_heartbeats=20_000, timeout_s=40.0)


def test_an_accepted_proof_is_confirmed_and_another_text_is_not(session, program):
    question = Question(elaborate(session, "", "theorem foo (n : Nat) : n + 0 = n", timeout_s=60))
    proof = Candidate("by simp")
    verdict = check(session, question, proof, LIMITS)
    audits = auditor_for(program, VerifierSettings())
    audited = audits.raised_here("audited", verdict, question, proof, LIMITS)
    assert audited == verdict.model_copy(update={"tier": "audited"})
    with pytest.raises(AuditError, match=r"accepted: .*; a second process says: rejected"):
        confirm(session, verdict, question, Candidate("by sorry"), LIMITS, 60.0)
