"""Accepted proofs, judged once more by a Lean process that has seen nothing else."""

from collections.abc import Iterable, Sequence

from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.recheck import RecheckItem, RecheckResult
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchains import installed_program, start_session

_PATIENCE = 3.0
"""A second check may take this many times the first one's limit: machines differ."""


def recheck(items: Sequence[RecheckItem]) -> Iterable[RecheckResult]:
    """Judge every proof again; yields one result per item, in order."""
    settings = VerifierSettings()
    try:
        program = installed_program()
        session = start_session(program, settings) if items else None
    except (LeanFailureError, ToolchainError) as error:
        for item in items:
            yield _failed(item, error)
        return
    if session is None:
        return
    try:
        for item in items:
            try:
                if not session.alive:
                    session = start_session(program, settings)
                yield recheck_one(session, item, settings.statement_timeout_s)
            except (LeanFailureError, LimitExceededError) as error:
                yield _failed(item, error)
    finally:
        session.close()


def recheck_one(session: LeanSession, item: RecheckItem, timeout_s: float) -> RecheckResult:
    """Judge one proof again.

    Raises:
        LeanFailureError: the process died or answered nonsense.
        LimitExceededError: the statement could not be elaborated within the limits.
    """
    statement = elaborate(session, item.header, item.statement, timeout_s=timeout_s)
    if not statement.ok:
        return _refused(item, f"the statement does not elaborate: {statement.detail}")
    if statement.digest != item.statement_digest:
        return _refused(item, "the verdict is about another statement")
    limits = item.limits.model_copy(update={"timeout_s": item.limits.timeout_s * _PATIENCE})
    question = Question(statement, item.negated, item.mathlib)
    verdict = check(session, question, Candidate(item.proof, item.preamble), limits)
    accepted = verdict.status is VerdictStatus.ACCEPTED
    detail = "" if accepted else verdict.detail
    if accepted and verdict.source != item.source:
        accepted, detail = False, "the recorded source is not what statement and candidate give"
    return RecheckResult(
        item.problem_id, accepted=accepted, detail=detail, elapsed_ms=verdict.elapsed_ms
    )


def _refused(item: RecheckItem, detail: str) -> RecheckResult:
    return RecheckResult(item.problem_id, accepted=False, detail=detail)


def _failed(item: RecheckItem, error: Exception) -> RecheckResult:
    return RecheckResult(item.problem_id, accepted=False, detail=str(error), failed=True)
