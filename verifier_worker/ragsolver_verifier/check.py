"""The trusted procedure: when is a candidate a proof of the statement?

Read from top to bottom. Absence of an error message is never evidence: a verdict is *accepted*
only when the Lean process answered for this very check and its answer holds every one of the
positive facts that `objection` looks for. What the answer's facts mean, and how they are found,
is in `lean_project/Checker/Evidence.lean` and the parts that it imports.
"""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import STANDARD_AXIOMS, Verdict, VerdictStatus
from ragsolver_verifier.assemble import Assembled, Candidate, assemble, full_source
from ragsolver_verifier.classify import error_class
from ragsolver_verifier.errors import LimitExceededError, ProtocolError
from ragsolver_verifier.evidence import (
    Evidence,
    diagnostics,
    open_goals,
    read_evidence,
    require_nonce,
)
from ragsolver_verifier.outcome import Outcome, objection, undecided
from ragsolver_verifier.positions import in_own_text
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import Statement
from ragsolver_verifier.unknown import unknown_identifiers
from ragsolver_verifier.view import hole_views


@dataclass(frozen=True)
class Question:
    """What a candidate must prove.

    Attributes:
        statement: the statement, elaborated alone before.
        negated: its negation is asked for.
        mathlib: whether the header gives Mathlib.
    """

    statement: Statement
    negated: bool = False
    mathlib: bool = False

    @property
    def text(self) -> str:
        """The text of the theorem to prove, ending before `:=`."""
        return self.statement.negated if self.negated else self.statement.text


class _Spent:
    """What a check has used since it began."""

    def __init__(self, session: LeanSession) -> None:
        self._session = session
        self._cpu_s, self._began = session.cpu_s, time.perf_counter()

    def wall_ms(self) -> float:
        return (time.perf_counter() - self._began) * 1000

    def cpu_ms(self) -> float:
        return (self._session.cpu_s - self._cpu_s) * 1000


def check(
    session: LeanSession,
    question: Question,
    candidate: Candidate,
    limits: CheckLimits,
    memory_mb: int | None = None,
) -> Verdict:
    """The verdict on one candidate.

    Args:
        session: a Lean process that runs the checker program.
        question: what is to be proved; its statement elaborates.
        candidate: untrusted text.
        limits: heartbeats for Lean; seconds, CPU seconds and output for the process.
        memory_mb: resident MiB for the process, where less than the session's own limit.

    Raises:
        LeanFailureError: the process died or answered nonsense. That is never a verdict.
    """
    text = assemble(question.text, candidate)
    started = _Spent(session)
    try:
        evidence = _ask(session, question, text, limits, memory_mb)
    except LimitExceededError as limit:
        outcome: Outcome = undecided(limit.reason, str(limit))
        return _verdict(session, question, text, outcome, None, started)
    outcome = objection(evidence, question.statement.name) or Outcome(
        VerdictStatus.ACCEPTED, None, f"the kernel accepts {question.statement.name}"
    )
    if (outcome.status is VerdictStatus.ACCEPTED) != evidence.complete:
        raise ProtocolError("the checker program and the verifier judge the evidence differently")
    return _verdict(session, question, text, outcome, evidence, started)


def _ask(
    session: LeanSession,
    question: Question,
    text: Assembled,
    limits: CheckLimits,
    memory_mb: int | None,
) -> Evidence:
    """The evidence on one text, from an answer that is certainly about it."""
    nonce = secrets.token_hex(16)
    request = {
        "op": "check",
        "nonce": nonce,
        "header": question.statement.header,
        "statement": question.statement.text,
        "negated": question.negated,
        "allowed_axioms": list(STANDARD_AXIOMS),
        "max_heartbeats": limits.max_heartbeats,
        "source": text.text,
    }
    answer = session.ask(
        request,
        timeout_s=limits.timeout_s,
        memory_mb=memory_mb,
        cpu_s=limits.cpu_s,
        output_mb=limits.output_mb,
    )
    require_nonce(answer, nonce)
    _require_same_statement(answer, question.statement)
    return in_own_text(read_evidence(answer.get("result")), text)


def _require_same_statement(answer: Mapping[str, Any], statement: Statement) -> None:
    """This process elaborated the same statement to the same type, now."""
    if answer.get("statement_ok") is not True:
        raise ProtocolError(f"the statement of {statement.name} no longer elaborates")
    if (answer.get("statement_name"), answer.get("canon")) != (statement.name, statement.canon):
        raise ProtocolError(f"the statement of {statement.name} elaborates differently now")


def _verdict(
    session: LeanSession,
    question: Question,
    text: Assembled,
    outcome: Outcome,
    evidence: Evidence | None,
    started: _Spent,
) -> Verdict:
    statement = question.statement
    accepted = outcome.status is VerdictStatus.ACCEPTED
    messages = diagnostics(evidence.messages if evidence else ())
    goals = open_goals(evidence) if evidence and not accepted else ()
    return Verdict(
        status=outcome.status,
        reason=outcome.reason,
        detail=outcome.detail,
        statement_digest=statement.digest,
        statement_type=statement.view.type if statement.view else "",
        negated=question.negated,
        axioms=tuple(sorted(evidence.axioms)) if evidence else (),
        constants=tuple(sorted(evidence.constants)) if evidence and accepted else (),
        named_in_proof=tuple(sorted(evidence.named)) if evidence and accepted else (),
        diagnostics=messages,
        goals=goals,
        holes=hole_views(evidence) if evidence and not accepted else (),
        error_class=error_class(outcome.reason, messages, goals=bool(goals)),
        unknown_identifiers=unknown_identifiers(evidence.messages if evidence else ()),
        source=full_source(statement.header, text.text),
        header=statement.header,
        mathlib=question.mathlib,
        toolchain=session.toolchain,
        isolation=session.isolation,
        elapsed_ms=started.wall_ms(),
        cpu_ms=started.cpu_ms(),
        memory_mb=session.memory_mb(),
    )
