"""Warm Lean sessions, leased one batch at a time.

A session that died is replaced in the background, and one that answered enough requests or grew
too large works on until its replacement is warm; so nobody waits for a start unless every session
is gone.
"""

import asyncio
import contextvars
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

from ragsolver_verifier.errors import LeanFailureError, SessionStoppedError
from ragsolver_verifier.pool_settings import PoolSettings
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.starts import FailedStarts
from ragsolver_verifier.tally import PoolTally

_log = logging.getLogger(__name__)

T = TypeVar("T")
_CLOSED = "the pool of Lean sessions is closed"


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
        self._tally = PoolTally()
        self._idle: list[LeanSession] = []
        self._waiting: deque[asyncio.Future[LeanSession]] = deque()
        self._all: set[LeanSession] = set()
        self._ready: set[LeanSession] = set()
        """Warm and not yet found dead: idle or leased."""
        self._worn: set[LeanSession] = set()
        """Those of them whose replacement is under way."""
        self._replaced: set[LeanSession] = set()
        """Those of them whose replacement is there: closed when they come back."""
        self._failures = FailedStarts(settings.starts)
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_work: set[asyncio.Future[Any]] = set()
        self._closed = False
        self._closing = asyncio.Event()
        # Threads of our own: work that hangs must never keep the thread that would end it.
        self._threads = ThreadPoolExecutor(4 * settings.sessions + 4, "lean-pool")

    async def __aenter__(self) -> Self:
        """Start every session; returns when the first is warm.

        Raises:
            NoSessionError: none can be started.
        """
        try:
            for _ in range(self._settings.sessions):
                self._in_background(self._add_session())
            self._put(await self._take())
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def size(self) -> int:
        """How many sessions there are when all are well."""
        return self._settings.sessions

    @property
    def tally(self) -> PoolTally:
        """What has happened so far, sessions at work included."""
        return self._tally.with_sessions(self._all)

    def worn(self, session: LeanSession) -> bool:
        """Whether a session has done its share and should be given back soon."""
        return (
            session.requests >= self._settings.recycle_checks
            or session.memory_mb() > self._settings.recycle_mb
        )

    async def use(self, work: Callable[[LeanSession], T]) -> T:
        """What `work` returns, done in a thread on a leased session.

        Cancelling this call kills the session, and so ends its thread.

        Raises:
            NoSessionError: no session is left, and several starts in a row have failed.
            SessionStoppedError: the pool is closed.
            Exception: whatever `work` raises.
        """
        session = await self._take()
        try:
            done = self._in_thread(work, session)
            self._at_work.add(done)
            done.add_done_callback(self._at_work.discard)
            try:
                return await asyncio.shield(done)
            except asyncio.CancelledError:
                if not done.done():
                    await self._in_thread(session.close)
                    await asyncio.gather(done, return_exceptions=True)
                raise
        finally:
            self._give_back(session)

    async def close(self) -> None:
        """Kill every session, also those leased or starting, even when cancelled meanwhile."""
        ending = asyncio.ensure_future(self._close())
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await asyncio.wait({ending})
            raise

    async def _close(self) -> None:
        self._closed = True
        self._closing.set()
        self._refuse_waiting(SessionStoppedError(_CLOSED))
        await self._kill_all()
        while busy := {*self._tasks, *self._at_work}:
            await asyncio.wait(busy)
        await self._kill_all()  # what a start had not yet shown when it was told to stop
        self._threads.shutdown(wait=False)

    async def _kill_all(self) -> None:
        for session in self._all:
            self._tally = self._tally.after(session)
        sessions, self._all = self._all, set()
        await asyncio.gather(*(self._in_thread(session.close) for session in sessions))

    def _in_thread(self, call: Callable[..., T], *args: Any) -> "asyncio.Future[T]":
        run = contextvars.copy_context().run
        return asyncio.get_running_loop().run_in_executor(self._threads, run, call, *args)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="care for Lean sessions")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Leases

    async def _take(self) -> LeanSession:
        while self._idle:
            session = self._idle.pop()
            if session.alive:
                return session
            self._lose(session)
        self._require_open()
        if self._hopeless:
            raise self._failures.error()
        waiter: asyncio.Future[LeanSession] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._give_back(waiter.result())
            raise

    def _require_open(self) -> None:
        if self._closed:
            raise SessionStoppedError(_CLOSED)

    def _put(self, session: LeanSession) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(session)
                return
        self._idle.append(session)

    def _give_back(self, session: LeanSession) -> None:
        if self._closed:
            return
        if not session.alive:
            self._lose(session)
        elif session in self._replaced:
            self._retire(session)
        else:
            if session not in self._worn and self.worn(session):
                self._worn.add(session)
                self._in_background(self._add_session())
            self._put(session)

    def _lose(self, session: LeanSession) -> None:
        """A session is dead: start another, unless that was done before."""
        replaced = session in self._worn or session in self._replaced
        self._tally = self._tally.died()
        self._forget(session)
        if not replaced and not self._closed:
            self._in_background(self._add_session())
        self._refuse_if_hopeless()

    def _retire(self, session: LeanSession) -> None:
        self._tally = self._tally.recycled()
        _log.info(
            "a Lean session is replaced after %d answers at %.0f MiB; so far %s",
            session.requests,
            session.memory_mb(),
            self.tally,
        )
        self._forget(session)

    def _forget(self, session: LeanSession) -> None:
        if session in self._all:
            self._tally = self._tally.after(session)
        for group in (self._all, self._ready, self._worn, self._replaced):
            group.discard(session)
        self._in_background(self._end(session))

    async def _end(self, session: LeanSession) -> None:
        await self._in_thread(session.close)

    # Starts

    async def _add_session(self) -> None:
        """Start one session, again and again until one is warm."""
        while not self._closed:
            try:
                session = await self._started()
            except Exception as error:  # noqa: BLE001 - told to whoever waits, and tried again
                if self._closed:
                    return
                self._note_failure(error)
                await self._pause()
            else:
                self._welcome(session)
                return

    async def _started(self) -> LeanSession:
        session = await self._in_thread(self._start)
        self._all.add(session)
        try:
            self._require_open()
            await self._in_thread(self._warm, session)
        except BaseException:
            self._all.discard(session)
            await self._in_thread(session.close)
            raise
        return session

    def _welcome(self, session: LeanSession) -> None:
        if self._closed:
            return
        self._failures.forget()
        self._tally = self._tally.started()
        self._ready.add(session)
        if self._worn:
            old = self._worn.pop()
            self._replaced.add(old)
            if old in self._idle:
                self._idle.remove(old)
                self._retire(old)
        self._put(session)

    def _note_failure(self, error: Exception) -> None:
        in_a_row = self._failures.note(error)
        self._tally = self._tally.failed()
        _log.warning("a Lean session did not start (%d in a row): %s", in_a_row, error)
        self._refuse_if_hopeless()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._failures.delay_s):
                await self._closing.wait()

    @property
    def _hopeless(self) -> bool:
        return not self._ready and self._failures.too_many

    def _refuse_if_hopeless(self) -> None:
        if self._hopeless:
            self._refuse_waiting(self._failures.error())

    def _refuse_waiting(self, error: LeanFailureError) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_exception(error)
