"""What the verifier says: first of the statement alone, then of every candidate.

The checker is the only port. What it raises for want of an answer is never turned into a verdict
of rejection.
"""

from collections.abc import Sequence
from typing import Protocol

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked, StatementProposed
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.problem import Problem, RefusalReason
from ragsolver_contracts.verdict import Tier, Verdict
from ragsolver_runtime.errors import PermanentError
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.batch import Asked, Judged
from ragsolver_verifier.check import Question
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError
from ragsolver_verifier.header import imports_mathlib
from ragsolver_verifier.statement import Statement
from ragsolver_verifier.tiers import lacking


class CheckerPort(Protocol):
    """What the decision needs of Lean; every method raises `LeanFailureError` for want of it."""

    toolchain: LeanToolchain

    async def state(self, header: str, text: str) -> Statement:
        """The statement, elaborated alone."""

    async def core_header(self, header: str) -> str:
        """The compatibility header for a problem's header."""

    async def judge(
        self,
        asked: Sequence[Asked],
        *,
        memory_mb: int | None = None,
        stop_at_first: bool = True,
        tier: Tier = "checked",
        dangerous: bool = False,
    ) -> list[Judged]:
        """Verdicts, or why there is none, in order; up to the first accepted one."""


def wants(trigger: AnyEvent) -> bool:
    """Whether a trigger means work: of a batch only the last candidate does."""
    data = trigger.data
    return isinstance(data, ProblemSubmitted | StatementProposed) or (
        isinstance(data, CandidateProposed) and data.closes_batch
    )


def opens(trigger: AnyEvent) -> bool:
    """Whether a trigger is a posted problem; a hole of another one is no new work."""
    data = trigger.data
    return isinstance(data, ProblemSubmitted) and data.problem.parent is None


async def decide(case: Case, trigger: AnyEvent, checker: CheckerPort) -> Sequence[Payload]:
    """State and trigger in, payloads out."""
    if case.problem is None:
        raise PermanentError(f"{trigger.entity}: no problem was submitted under this id")
    if isinstance(trigger.data, ProblemSubmitted):
        return [] if 0 in case.statements else [await _state(case, case.problem, 0, checker)]
    if isinstance(trigger.data, StatementProposed):
        number = trigger.data.statement
        written = case.stated_as(number)
        if written is None or number in case.statements:
            return []
        return [await _state(case, written, number, checker)]
    if isinstance(trigger.data, CandidateProposed) and wants(trigger):
        return await _judge_batch(case, trigger, trigger.data, checker)
    return []


async def _state(
    case: Case, problem: Problem, number: int, checker: CheckerPort
) -> StatementChecked:
    missing = lacking(case.config.verifier.tier, checker.toolchain)
    if missing:
        raise PermanentError(f"{case.problem_id}: {missing}")
    if problem.formal_statement is None:
        return StatementChecked(
            statable=False,
            reason=RefusalReason.NEEDS_LLM,
            detail="the problem is in words only; writing its Lean statement needs a model",
            toolchain=checker.toolchain,
        )
    wants_mathlib = imports_mathlib(problem.header)
    lacks_mathlib = wants_mathlib and not checker.toolchain.mathlib
    if lacks_mathlib and not case.config.verifier.compatibility_header:
        return StatementChecked(
            statement=number,
            statable=False,
            reason=RefusalReason.NEEDS_MATHLIB,
            detail="the header imports Mathlib, which this toolchain lacks",
            toolchain=checker.toolchain,
        )
    # An empty header gets the compatibility header too: else `ℕ` would be a variable.
    compatibility = lacks_mathlib or not problem.header.strip()
    header = await checker.core_header(problem.header) if compatibility else problem.header
    said = await _alone(checker, header, problem.formal_statement)
    reason, detail = RefusalReason.STATEMENT_ERROR, said.detail
    if lacks_mathlib:
        reason = RefusalReason.NEEDS_MATHLIB
        detail = f"the header imports Mathlib, and core Lean alone says: {said.detail}"
    return StatementChecked(
        statement=number,
        statable=said.ok,
        reason=None if said.ok else reason,
        detail="" if said.ok else detail,
        header=header,
        mathlib=wants_mathlib and not lacks_mathlib,
        compatibility=compatibility,
        statement_digest=said.digest if said.ok else "",
        view=said.view,
        diagnostics=said.diagnostics,
        toolchain=checker.toolchain,
    )


async def _alone(checker: CheckerPort, header: str, text: str) -> Statement:
    """The statement; one that cannot be elaborated within the limits is not stated."""
    try:
        return await checker.state(header, text)
    except LimitExceededError as error:
        return Statement(header, text, ok=False, problem="limit", detail=str(error))


async def _judge_batch(
    case: Case, trigger: AnyEvent, closing: CandidateProposed, checker: CheckerPort
) -> list[Payload]:
    """Verdicts of one batch, up to the first accepted one; failures come before verdicts."""
    batch = case.batch(closing.attempt, closing.batch)
    open_ones = [c for c in batch if not case.judged((c.attempt, c.candidate))]
    if case.accepted is not None or not open_ones:
        return []
    stated = await _stated(case, checker)
    mathlib = case.statement is not None and case.statement.mathlib
    asked = [
        Asked(
            Question(stated, candidate.negated, mathlib=mathlib),
            Candidate(candidate.text.proof, candidate.text.preamble),
            candidate.limits,
        )
        for candidate in open_ones
    ]
    config = case.config.verifier
    judged = await checker.judge(
        asked,
        memory_mb=config.memory_mb,
        tier=config.tier,
        dangerous=any(candidate.alone for candidate in open_ones),
    )
    failures: list[Payload] = []
    verdicts: list[VerdictIssued] = []
    for candidate, said in zip(open_ones, judged, strict=False):
        if isinstance(said, Verdict):
            verdicts.append(_issued(candidate, said))
        else:
            failures.append(_failed(candidate, trigger, said))
    closed = [v.model_copy(update={"closes_batch": v is verdicts[-1]}) for v in verdicts]
    return [*failures, *closed]


async def _stated(case: Case, checker: CheckerPort) -> Statement:
    """The statement again, in this process; it must be the one that was checked at first."""
    checked = case.statement
    problem = case.stated
    if checked is None or not checked.statable or problem is None or not problem.formal_statement:
        raise PermanentError(
            f"{case.problem_id}: a candidate for a statement that was not checked"
        )
    said = await _alone(checker, checked.header, problem.formal_statement)
    if said.problem == "limit":
        raise LeanFailureError(
            f"{case.problem_id}: the statement was not elaborated: {said.detail}"
        )
    if not said.ok:
        raise PermanentError(
            f"{case.problem_id}: the statement no longer elaborates: {said.detail}"
        )
    if said.digest != checked.statement_digest:
        raise PermanentError(
            f"{case.problem_id}: the statement elaborates differently than when it was submitted; "
            "was the toolchain changed in the middle of the run?"
        )
    return said


def _issued(candidate: CandidateProposed, verdict: Verdict) -> VerdictIssued:
    return VerdictIssued(attempt=candidate.attempt, candidate=candidate.candidate, verdict=verdict)


def _failed(candidate: CandidateProposed, trigger: AnyEvent, error: Exception) -> WorkFailed:
    return WorkFailed(
        failed_role="verifier",
        trigger_id=trigger.id,
        trigger_type=trigger.type,
        stage="check",
        error=type(error).__name__,
        message=f"{error} (twice, the second time in another process)",
        attempt=candidate.attempt,
        candidate=candidate.candidate,
    )
