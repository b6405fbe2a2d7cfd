"""The checker as the worker uses it: sessions from a pool, failures told from verdicts."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from typing import TypeVar
from weakref import WeakKeyDictionary

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import Tier, Verdict, VerdictStatus
from ragsolver_verifier.audit import Auditor
from ragsolver_verifier.batch import TRIES, Asked, Judged, judge_batch
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError, SessionDiedError
from ragsolver_verifier.evidence import require_nonce
from ragsolver_verifier.header import compatibility_header, lookup_header, opened_namespaces
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import Statement, elaborate
from ragsolver_verifier.tally import PoolTally

T = TypeVar("T")
_KEPT = 64
"""Statements whose elaborated form is remembered."""


def _accepted(said: Judged) -> bool:
    return isinstance(said, Verdict) and said.status is VerdictStatus.ACCEPTED


class Checker:
    """Elaborates statements and judges candidates on leased sessions."""

    def __init__(
        self,
        pool: SessionPool,
        toolchain: LeanToolchain,
        *,
        statement_timeout_s: float,
        auditor: Auditor | None = None,
    ) -> None:
        """A checker on an open pool.

        Args:
            pool: where sessions come from.
            toolchain: what the pool's sessions run.
            statement_timeout_s: for everything but candidates.
            auditor: for the tiers above `checked`; without one they are failures.
        """
        self.toolchain = toolchain
        self._pool = pool
        self._timeout_s = statement_timeout_s
        self.auditor = auditor
        self._stated: WeakKeyDictionary[LeanSession, str] = WeakKeyDictionary()
        self._known: OrderedDict[tuple[str, str], Statement] = OrderedDict()
        self._dangerous = asyncio.Semaphore(max(1, pool.size - 1))

    @property
    def tally(self) -> PoolTally:
        """What has happened in the pool so far."""
        return self._pool.tally

    async def use(self, work: Callable[[LeanSession], T]) -> T:
        """What `work` returns, done in a thread on a leased session.

        Raises:
            LeanFailureError: no session could be started. And whatever `work` raises.
        """
        return await self._pool.use(work)

    async def state(self, header: str, text: str) -> Statement:
        """A statement, elaborated alone; one that was, under this toolchain, is remembered.

        Every answer about a candidate says again to what its statement elaborates, in the process
        that judged it, and `check` compares.

        Raises:
            LeanFailureError: Lean gave no answer.
            LimitExceededError: it took too long or too much memory.
        """
        known = self._known.get((header, text))
        if known is None:
            timeout_s = self._timeout_s
            known = await self._use(lambda s: elaborate(s, header, text, timeout_s=timeout_s))
        if known.ok:
            self._known[header, text] = known
            self._known.move_to_end((header, text))
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return known

    async def core_header(self, header: str) -> str:
        """The compatibility header for a problem's header.

        Raises:
            LeanFailureError: Lean gave no answer.
        """
        opened = opened_namespaces(header)
        _, missing = await self._missing(lookup_header(header), (), opened)
        return compatibility_header(header, frozenset(missing))

    async def judge(
        self,
        asked: Sequence[Asked],
        *,
        memory_mb: int | None = None,
        stop_at_first: bool = True,
        tier: Tier = "checked",
        dangerous: bool = False,
    ) -> list[Judged]:
        """What became of each candidate of a batch; see `judge_batch`.

        What is accepted is raised to `tier` first; where that fails, it is a failure, and the
        rest of the batch is judged. Dangerous batches leave one session to all others.

        Raises:
            LeanFailureError: Lean gave no answer, whatever the candidate.
            ToolchainMissing: the tier cannot be had here.
        """
        async with self._dangerous if dangerous else nullcontext():
            return await self._judged(asked, memory_mb, stop_at_first=stop_at_first, tier=tier)

    async def _judged(
        self, asked: Sequence[Asked], memory_mb: int | None, *, stop_at_first: bool, tier: Tier
    ) -> list[Judged]:
        judged: list[Judged] = []
        while len(judged) < len(asked):
            rest = asked[len(judged) :]
            said = await judge_batch(
                self._pool, self._prepare, rest, memory_mb=memory_mb, stop_at_first=stop_at_first
            )
            raised = [await self._raised(tier, *pair) for pair in zip(rest, said, strict=False)]
            judged += raised
            if not said or (stop_at_first and any(map(_accepted, raised))):
                break
        return judged

    async def _raised(self, tier: Tier, asked: Asked, said: Judged) -> Judged:
        if tier == "checked" or not isinstance(said, Verdict) or not _accepted(said):
            return said
        if self.auditor is None:
            return LeanFailureError(f"the tier {tier!r} was asked for, and nothing here audits")
        try:
            return await self.auditor.raised(
                tier, said, asked.question, asked.candidate, asked.limits
            )
        except LeanFailureError as error:
            return error

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

        return await self._use(_work)

    async def _use(self, work: Callable[[LeanSession], T]) -> T:
        """The work on a leased session; when that dies, once more on another."""
        for _ in range(TRIES - 1):
            with suppress(SessionDiedError):
                return await self._pool.use(work)
        return await self._pool.use(work)
