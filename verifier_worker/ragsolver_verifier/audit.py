"""What stands behind a verdict beyond the trusted procedure: the tiers `audited` and `replayed`.

An accepted proof is judged again from scratch by a process that was started for it alone and has
seen nothing else, before the verdict is issued. Two processes that disagree make a failure with
both texts, and never an accepted proof.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Tier, Verdict, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import (
    LeanFailureError,
    LimitExceededError,
    SessionStoppedError,
)
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.tiers import require_tier

PATIENCE = 3.0
"""A second check may take this many times the first one's limit."""


class AuditError(LeanFailureError):
    """An accepted proof was not confirmed; says what both processes said."""


def judge_again(
    session: LeanSession,
    question: Question,
    candidate: Candidate,
    limits: CheckLimits,
    timeout_s: float,
) -> Verdict:
    """The verdict of another process on the same text, its statement elaborated anew.

    Args:
        session: the other process.
        question: as it was; only its texts are used.
        candidate: the text.
        limits: the first check's; seconds count `PATIENCE` times.
        timeout_s: for the statement.

    Raises:
        AuditError: the statement elaborates differently there.
        LeanFailureError: the process died or answered nonsense.
        LimitExceededError: the statement took too long or too much memory.
    """
    first = question.statement
    again = elaborate(session, first.header, first.text, timeout_s=timeout_s)
    if not again.ok:
        raise AuditError(f"the statement does not elaborate in a second process: {again.detail}")
    if again.digest != first.digest:
        raise AuditError(
            "the statement elaborates differently in a second process: "
            f"first {_type(first.view)}, then {_type(again.view)}"
        )
    same = Question(again, question.negated, question.mathlib)
    return check(session, same, candidate, patient(limits))


def patient(limits: CheckLimits) -> CheckLimits:
    """The limits of a second check: machines and moments differ."""
    cpu_s = None if limits.cpu_s is None else limits.cpu_s * PATIENCE
    return limits.model_copy(update={"timeout_s": limits.timeout_s * PATIENCE, "cpu_s": cpu_s})


def _type(view: object) -> str:
    return str(getattr(view, "type", "without a type"))


def confirm(
    session: LeanSession,
    verdict: Verdict,
    question: Question,
    candidate: Candidate,
    limits: CheckLimits,
    timeout_s: float,
) -> Verdict:
    """An accepted verdict, raised to the tier `audited` by a process that agrees in everything.

    Args:
        session: a process that has seen nothing else.
        verdict: the first process's, accepted.
        question: what was to be proved.
        candidate: the text.
        limits: of the first check.
        timeout_s: for the statement.

    Raises:
        AuditError: the second process does not agree; says what both said.
        LeanFailureError: it gave no answer.
    """
    try:
        second = judge_again(session, question, candidate, limits, timeout_s)
    except LimitExceededError as error:
        raise AuditError(f"{_first(verdict)}; a second process did not finish: {error}") from error
    if second.status is not VerdictStatus.ACCEPTED:
        reason = f" ({second.reason})" if second.reason else ""
        raise AuditError(
            f"{_first(verdict)}; a second process says: {second.status}{reason}: {second.detail}"
        )
    for what in ("source", "axioms", "constants", "statement_type"):
        one, other = getattr(verdict, what), getattr(second, what)
        if one != other:
            raise AuditError(
                f"{_first(verdict)}; a second process accepts it too, but with other {what}: "
                f"first {one!r:.300}, then {other!r:.300}"
            )
    return verdict.model_copy(update={"tier": "audited"})


def _first(verdict: Verdict) -> str:
    return f"the first process says: {verdict.status}: {verdict.detail}"


Replay = Callable[[Verdict, float], None]
"""Replays an accepted proof within some seconds; raises `LeanFailureError` when it does not."""


class Auditor:
    """Raises accepted verdicts to the tier that is asked for, with processes of its own."""

    def __init__(
        self,
        start: Callable[[], LeanSession],
        warm: Callable[[LeanSession], None],
        *,
        statement_timeout_s: float,
        replay: Replay | None = None,
    ) -> None:
        """Nothing is started yet.

        Args:
            start: starts a process, without waiting for its first answer.
            warm: waits for a process's first answer.
            statement_timeout_s: for elaborating the statement.
            replay: replays a proof by a program apart; None where that cannot be done.
        """
        self._start = start
        self._warm = warm
        self._timeout_s = statement_timeout_s
        self._replay = replay
        self._under_way: set[_Second] = set()

    async def raised(
        self,
        tier: Tier,
        verdict: Verdict,
        question: Question,
        candidate: Candidate,
        limits: CheckLimits,
    ) -> Verdict:
        """The verdict at the tier asked for; one that is not accepted stays what it is.

        Cancelling this call kills the second process.

        Raises:
            ToolchainMissing: the tier cannot be had here.
            AuditError: the second process does not agree.
            LeanFailureError: it gave no answer.
        """
        require_tier(tier, verdict.toolchain)
        if tier == "checked" or verdict.status is not VerdictStatus.ACCEPTED:
            return verdict
        second = _Second(self._start, self._warm)
        task = asyncio.create_task(
            asyncio.to_thread(
                second.confirm, verdict, question, candidate, limits, self._timeout_s
            )
        )
        try:
            audited = await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.to_thread(second.stop)
            await asyncio.gather(task, return_exceptions=True)
            raise
        return await asyncio.to_thread(self._replayed, tier, audited, limits)

    def raised_here(
        self,
        tier: Tier,
        verdict: Verdict,
        question: Question,
        candidate: Candidate,
        limits: CheckLimits,
    ) -> Verdict:
        """As `raised`, for callers that may wait in their own thread.

        Raises:
            ToolchainMissing: the tier cannot be had here.
            AuditError: the second process does not agree.
            LeanFailureError: it gave no answer.
        """
        require_tier(tier, verdict.toolchain)
        if tier == "checked" or verdict.status is not VerdictStatus.ACCEPTED:
            return verdict
        second = _Second(self._start, self._warm)
        self._under_way.add(second)
        try:
            audited = second.confirm(verdict, question, candidate, limits, self._timeout_s)
        finally:
            self._under_way.discard(second)
        return self._replayed(tier, audited, limits)

    def stop(self) -> None:
        """End the processes of `raised_here` that are under way, from any thread."""
        for second in tuple(self._under_way):
            second.stop()

    def _replayed(self, tier: Tier, audited: Verdict, limits: CheckLimits) -> Verdict:
        if tier != "replayed":
            return audited
        if self._replay is None:
            raise AuditError("the tier `replayed` was asked for, and nothing here can replay")
        self._replay(audited, limits.timeout_s * PATIENCE)
        return audited.model_copy(update={"tier": "replayed"})


class _Second:
    """One process for one proof, which can be stopped from another thread."""

    def __init__(
        self, start: Callable[[], LeanSession], warm: Callable[[LeanSession], None]
    ) -> None:
        self._start = start
        self._warm = warm
        self._lock = threading.Lock()
        self._session: LeanSession | None = None
        self._stopped = False

    def confirm(
        self,
        verdict: Verdict,
        question: Question,
        candidate: Candidate,
        limits: CheckLimits,
        timeout_s: float,
    ) -> Verdict:
        with self._lock:
            if self._stopped:
                raise SessionStoppedError("the audit was stopped before it began")
            session = self._session = self._start()
        try:
            self._warm(session)
            return confirm(session, verdict, question, candidate, limits, timeout_s)
        finally:
            session.close()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            session = self._session
        if session is not None:
            session.close()
