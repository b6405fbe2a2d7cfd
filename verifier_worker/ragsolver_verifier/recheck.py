"""Accepted proofs, judged once more by a Lean process that has seen nothing else."""

from collections.abc import Iterable, Sequence
from contextlib import closing

from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.recheck import RecheckItem, RecheckResult
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.audit import patient
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.settings import ToolchainChoice, VerifierSettings
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchains import installed_program, start_session


def recheck(items: Sequence[RecheckItem]) -> Iterable[RecheckResult]:
    """Judge every proof again by the toolchain that accepted it; a result per item, in order."""
    settings = VerifierSettings()
    with closing(_Fresh(settings)) as fresh:
        for item in items:
            try:
                session = fresh.session(item.toolchain)
                yield recheck_one(session, item, settings.statement_timeout_s)
            except (LeanFailureError, LimitExceededError, ToolchainError) as error:
                yield _failed(item, error)


class _Fresh:
    """A process for the proofs of one toolchain after the other, started when it is needed."""

    def __init__(self, settings: VerifierSettings) -> None:
        self._settings = settings
        self._kind: ToolchainChoice = "embedded"
        self._session: LeanSession | None = None

    def session(self, kind: ToolchainChoice) -> LeanSession:
        """A living session of that toolchain.

        Raises:
            ToolchainMissing: it is not installed.
            LeanFailureError: it does not start.
        """
        session = self._session
        if session is None or kind != self._kind or not session.alive:
            self.close()
            program = installed_program(choice=kind)
            session = self._session = start_session(program, self._settings)
            self._kind = kind
        return session

    def close(self) -> None:
        """End the process, where there is one."""
        if self._session is not None:
            self._session.close()
            self._session = None


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
    question = Question(statement, item.negated, item.mathlib)
    verdict = check(session, question, Candidate(item.proof, item.preamble), patient(item.limits))
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
