"""The checker as the worker uses it: sessions from a pool, failures told from verdicts."""

import secrets
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import Verdict, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, SessionDiedError
from ragsolver_verifier.evidence import require_nonce
from ragsolver_verifier.header import compatibility_header, lookup_header, opened_namespaces
from ragsolver_verifier.named import identifiers
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import Statement, elaborate

_TRIES = 2
"""A candidate in whose check the process died is tried once more, in another process."""


class Checker:
    """Elaborates statements and judges candidates on leased sessions."""

    def __init__(
        self, pool: SessionPool, toolchain: LeanToolchain, *, statement_timeout_s: float
    ) -> None:
        """A checker on an open pool.

        Args:
            pool: where sessions come from.
            toolchain: what the pool's sessions run.
            statement_timeout_s: for everything but candidates.
        """
        self.toolchain = toolchain
        self._pool = pool
        self._timeout_s = statement_timeout_s
        self._stated: WeakKeyDictionary[LeanSession, str] = WeakKeyDictionary()

    async def state(self, header: str, text: str) -> Statement:
        """A statement, elaborated alone.

        Raises:
            LeanFailureError: Lean gave no answer.
            LimitExceededError: it took too long or too much memory.
        """
        timeout_s = self._timeout_s
        return await self._pool.use(lambda s: elaborate(s, header, text, timeout_s=timeout_s))

    async def core_header(self, header: str) -> str:
        """The compatibility header for a problem's header.

        Raises:
            LeanFailureError: Lean gave no answer.
        """
        opened = opened_namespaces(header)
        _, missing = await self._missing(lookup_header(header), (), opened)
        return compatibility_header(header, frozenset(missing))

    async def judge(
        self, question: Question, candidate: Candidate, limits: CheckLimits, memory_mb: int
    ) -> Verdict:
        """The verdict on one candidate; time and memory limits make it inconclusive.

        Raises:
            SessionDiedError: the process died in every try: a failure, not a verdict.
            LeanFailureError: Lean gave no answer.
        """
        for _ in range(_TRIES - 1):
            try:
                return await self._judge(question, candidate, limits, memory_mb)
            except SessionDiedError:
                continue
        return await self._judge(question, candidate, limits, memory_mb)

    async def _judge(
        self, question: Question, candidate: Candidate, limits: CheckLimits, memory_mb: int
    ) -> Verdict:
        def _work(session: LeanSession) -> Verdict:
            self._prepare(session, question.statement)
            return check(session, question, candidate, limits, memory_mb)

        verdict = await self._pool.use(_work)
        if verdict.status is not VerdictStatus.ACCEPTED:
            return verdict
        names = identifiers(f"{candidate.preamble}\n{candidate.proof}")
        missing, _ = await self._missing(question.statement.header, names, ())
        known = tuple(sorted(set(names) - set(missing)))
        return verdict.model_copy(update={"named_in_proof": known})

    def _prepare(self, session: LeanSession, statement: Statement) -> None:
        """Have the statement elaborated in this session: its time is not the candidate's.

        Raises:
            LeanFailureError: that took too long or too much memory, or Lean gave no answer.
        """
        if self._stated.get(session) == statement.digest:
            return
        try:
            elaborate(session, statement.header, statement.text, timeout_s=self._timeout_s)
        except LimitExceededError as error:
            raise LeanFailureError(f"the statement was not elaborated again: {error}") from error
        self._stated[session] = statement.digest

    async def missing(self, names: Sequence[str], header: str = "") -> tuple[str, ...]:
        """Those of `names` that Lean does not know under a header.

        Raises:
            LeanFailureError: Lean gave no answer.
        """
        return (await self._missing(header, names, ()))[0]

    async def _missing(
        self, header: str, names: Sequence[str], namespaces: Sequence[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        nonce = secrets.token_hex(16)
        request = {
            "op": "names",
            "nonce": nonce,
            "header": header,
            "names": list(names),
            "namespaces": list(namespaces),
        }

        def _work(session: LeanSession) -> tuple[tuple[str, ...], tuple[str, ...]]:
            answer = session.ask(request, timeout_s=self._timeout_s)
            require_nonce(answer, nonce)
            return tuple(answer["missing"]), tuple(answer["missing_namespaces"])

        return await self._pool.use(_work)
