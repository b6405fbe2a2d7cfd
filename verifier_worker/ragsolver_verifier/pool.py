"""Warm Lean sessions, leased one check at a time.

A session that died, answered enough requests or grew too large is replaced in the background, so
that nobody waits for a start unless every session is gone.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

from ragsolver_verifier.errors import LeanFailureError, SessionDiedError
from ragsolver_verifier.session import LeanSession

_log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True)
class PoolSettings:
    """Sizes and limits of a pool."""

    sessions: int = 2
    recycle_checks: int = 1_000
    """A session is replaced after this many answers."""
    recycle_mb: int = 2_500
    """A session is replaced when it keeps more than this many MiB."""


class SessionPool:
    """A fixed number of sessions; used as an asynchronous context."""

    def __init__(
        self,
        start: Callable[[], LeanSession],
        warm: Callable[[LeanSession], None],
        settings: PoolSettings,
    ) -> None:
        """Nothing is started yet.

        Args:
            start: starts one session, without waiting for its first answer.
            warm: waits for a session's first answer; raises `LeanFailureError` for want of it.
            settings: sizes and limits.
        """
        self._start = start
        self._warm = warm
        self._settings = settings
        self._idle: asyncio.Queue[LeanSession | LeanFailureError] = asyncio.Queue()
        self._starting: set[asyncio.Task[None]] = set()
        self._all: set[LeanSession] = set()
        self._closed = False

    async def __aenter__(self) -> Self:
        """Start every session; returns when the first is warm.

        Raises:
            LeanFailureError: none can be started.
        """
        for _ in range(self._settings.sessions):
            self._replace()
        first = await self._idle.get()
        if isinstance(first, LeanFailureError):
            await self.close()
            raise first
        self._idle.put_nowait(first)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Kill every session, also those leased or starting."""
        self._closed = True
        await self._kill_all()
        if self._starting:
            await asyncio.gather(*self._starting, return_exceptions=True)
        await self._kill_all()

    async def _kill_all(self) -> None:
        sessions, self._all = self._all, set()
        await asyncio.gather(*(asyncio.to_thread(session.close) for session in sessions))

    async def use(self, work: Callable[[LeanSession], T]) -> T:
        """What `work` returns, done in a thread on a leased session.

        Cancelling this call kills the session, and so ends its thread.

        Raises:
            LeanFailureError: the session that was to be ours could not be started; another start
                is under way. And whatever `work` raises.
        """
        async with self._lease() as session:
            task = asyncio.create_task(asyncio.to_thread(work, session))
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                await asyncio.to_thread(session.close)
                await asyncio.gather(task, return_exceptions=True)
                raise

    @asynccontextmanager
    async def _lease(self) -> AsyncIterator[LeanSession]:
        session = await self._idle.get()
        if isinstance(session, LeanFailureError):
            self._replace()
            raise session
        try:
            yield session
        finally:
            await self._give_back(session)

    async def _give_back(self, session: LeanSession) -> None:
        worn = (
            session.requests >= self._settings.recycle_checks
            or session.memory_mb() > self._settings.recycle_mb
        )
        if session.alive and not worn and not self._closed:
            self._idle.put_nowait(session)
            return
        self._all.discard(session)
        self._replace()
        await asyncio.to_thread(session.close)

    def _replace(self) -> None:
        if self._closed:
            return
        task = asyncio.create_task(self._start_one(), name="start a Lean session")
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _start_one(self) -> None:
        try:
            session = await asyncio.to_thread(self._start)
            self._all.add(session)
            if self._closed:
                return
            await asyncio.to_thread(self._warm, session)
        except Exception as error:  # noqa: BLE001 - handed to whoever leases next
            _log.warning("a Lean session did not start: %s", error)
            known = isinstance(error, LeanFailureError)
            self._idle.put_nowait(error if known else SessionDiedError(str(error)))  # type: ignore[arg-type]
            return
        self._idle.put_nowait(session)
