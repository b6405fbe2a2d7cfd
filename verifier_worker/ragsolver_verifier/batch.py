"""A batch of candidates as one check, with a verdict for each.

One lease, one statement, and one request a candidate, so that every candidate has its limits to
itself. When a process dies, the candidate that it worked on is known; it is asked about first in
the next lease, which for a batch is what a bisection would end with. Verdicts once given stay.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError, ProtocolError, SessionDiedError
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import Statement

TRIES = 2
"""A candidate in whose check the process failed is tried once more, in another process."""


@dataclass(frozen=True)
class Asked:
    """One candidate of a batch: what it must prove, its text, what it may use."""

    question: Question
    candidate: Candidate
    limits: CheckLimits


Judged = Verdict | LeanFailureError
"""A verdict, or why there is none: the process failed on this candidate in every try."""


async def judge_batch(
    pool: SessionPool,
    prepare: Callable[[LeanSession, Statement], None],
    asked: Sequence[Asked],
    *,
    memory_mb: int | None = None,
    stop_at_first: bool = True,
) -> list[Judged]:
    """What became of each candidate, in order; one that fails takes no other's verdict with it.

    Args:
        pool: where sessions come from.
        prepare: has a statement elaborated in a session, at nobody's expense.
        asked: the candidates.
        memory_mb: resident MiB for the process, where less than the session's own limit.
        stop_at_first: judge no further than the first accepted one; the list ends with it.

    Raises:
        LeanFailureError: no verdict can be had whatever the candidate: no process starts, the
            statement cannot be elaborated again, or the pool was closed.
    """
    batch = _Batch(prepare, asked, memory_mb, stop_at_first)
    lost = 0
    while batch.open:
        try:
            await pool.use(lambda session: batch.go_on(session, pool.worn))
        except SessionDiedError:
            # Not by a candidate, but at its statement: that was elaborated before.
            lost += 1
            if lost == TRIES:
                raise
    return batch.judged


class _Batch:
    """How far a batch has come."""

    def __init__(
        self,
        prepare: Callable[[LeanSession, Statement], None],
        asked: Sequence[Asked],
        memory_mb: int | None,
        stop_at_first: bool,
    ) -> None:
        self.judged: list[Judged] = []
        self._prepare = prepare
        self._asked = asked
        self._memory_mb = memory_mb
        self._stop_at_first = stop_at_first
        self._failures = 0
        """Of the candidate that is next."""

    @property
    def open(self) -> bool:
        """Whether there is more to judge."""
        last = self.judged[-1] if self.judged else None
        proved = isinstance(last, Verdict) and last.status is VerdictStatus.ACCEPTED
        return len(self.judged) < len(self._asked) and not (self._stop_at_first and proved)

    def go_on(self, session: LeanSession, worn: Callable[[LeanSession], bool]) -> None:
        """Judge one candidate after the other until the session is dead or worn."""
        while self.open:
            item = self._asked[len(self.judged)]
            self._prepare(session, item.question.statement)
            try:
                verdict = check(
                    session, item.question, item.candidate, item.limits, self._memory_mb
                )
            except (SessionDiedError, ProtocolError) as error:
                session.close()  # what answered nonsense once may do so for ever
                self._failed(error)
                return
            self._add(verdict)
            if not session.alive or worn(session):
                return

    def _failed(self, error: LeanFailureError) -> None:
        self._failures += 1
        if self._failures == TRIES:
            self._add(error)

    def _add(self, judged: Judged) -> None:
        self.judged.append(judged)
        self._failures = 0
