"""One Lean process that answers requests of the checker program, with hard limits.

`lean-interact` starts the process (in a process group of its own) and speaks its protocol; the
limits are enforced here, by a watch that kills the whole group.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

import psutil

from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.errors import (
    LimitExceededError,
    ProtocolError,
    SessionDiedError,
    SessionStoppedError,
)

Answer = Mapping[str, Any]
_WATCH_S: Final = 0.1
_MIB: Final = 1024**2
_GRACE_S: Final = 15.0


class LeanSession(Protocol):
    """A process that holds Lean environments and answers one request at a time."""

    toolchain: LeanToolchain

    @property
    def alive(self) -> bool:
        """Whether it can still answer."""

    @property
    def requests(self) -> int:
        """Requests answered so far."""

    def ask(
        self, request: Mapping[str, Any], *, timeout_s: float, memory_mb: int | None = None
    ) -> Answer:
        """The answer to one request; blocks.

        Args:
            request: one JSON object.
            timeout_s: wall-clock seconds after which the process is killed.
            memory_mb: resident MiB at which it is killed, where that is less than its own limit.

        Raises:
            LimitExceededError: time or memory ran out; the process was killed.
            SessionDiedError: the process ended without an answer.
            ProtocolError: what came back is not JSON; the process was killed.
            SessionStoppedError: `close` was called meanwhile.
        """

    def memory_mb(self) -> float:
        """Resident memory now, in MiB; 0 when it is dead."""

    def close(self) -> None:
        """Kill the process, whatever it does; may be called twice and from any thread."""


@dataclass(frozen=True)
class Program:
    """How to start a checker process.

    Attributes:
        repl_path: `lean-interact`'s `local_repl_path`.
        lake_path: the `lake` that starts it.
        toolchain: what verdicts say about it.
    """

    repl_path: Path
    lake_path: Path
    toolchain: LeanToolchain


class LeanProcess:
    """A `LeanSession` on a real process."""

    def __init__(self, program: Program, *, memory_mb: int) -> None:
        """Start the process.

        Args:
            program: what to start.
            memory_mb: resident memory in MiB at which it is killed.

        Raises:
            SessionDiedError: it could not be started.
        """
        # Imported here: it costs seconds, and the command line imports this module.
        from lean_interact import LeanREPLConfig, LeanServer

        self.toolchain = program.toolchain
        self._limit_mb = memory_mb
        self._requests = 0
        self._closed = False
        self._asking = threading.Lock()
        config = LeanREPLConfig(
            local_repl_path=str(program.repl_path),
            build_repl=False,
            lake_path=str(program.lake_path),
            memory_hard_limit_mb=None,
        )
        try:
            self._server = LeanServer(config)
        except (OSError, ChildProcessError) as error:
            raise SessionDiedError(f"the Lean process did not start: {error}") from error
        self._pid = self._server._proc.pid if self._server._proc else 0  # noqa: SLF001

    @property
    def alive(self) -> bool:
        """Whether the process runs and was not closed."""
        return not self._closed and bool(self._server.is_alive())

    @property
    def requests(self) -> int:
        """Requests answered so far."""
        return self._requests

    def ask(
        self, request: Mapping[str, Any], *, timeout_s: float, memory_mb: int | None = None
    ) -> Answer:
        """See `LeanSession.ask`."""
        if not self.alive:
            raise SessionDiedError("the Lean process is not running")
        limit_mb = min(memory_mb or self._limit_mb, self._limit_mb)
        watch = _Watch(self._pid, timeout_s, limit_mb)
        with self._asking:
            try:
                with watch:
                    answer = self._server.run_dict(dict(request), timeout=timeout_s + _GRACE_S)
            except (OSError, TimeoutError, AssertionError, ValueError) as error:
                stopped = self._closed
                self._end()
                raise self._meaning(watch, error, stopped) from error
            if not isinstance(answer, dict):
                self._end()
                raise ProtocolError(f"the Lean process answered {type(answer).__name__}")
        self._requests += 1
        return answer

    def _meaning(self, watch: _Watch, error: Exception, stopped: bool) -> Exception:
        if stopped:
            return SessionStoppedError("the session was closed while it worked")
        if watch.exceeded is not None:
            return watch.exceeded
        if isinstance(error, ValueError):
            return ProtocolError(f"the Lean process did not answer in JSON: {error}")
        return SessionDiedError("the Lean process ended without an answer")

    def memory_mb(self) -> float:
        """Resident memory now, in MiB; 0 when it is dead."""
        return resident_mb(self._pid) if self.alive else 0.0

    def close(self) -> None:
        """Kill the whole process group; a request that waits for its answer collects it."""
        self._closed = True
        kill_group(self._pid)
        if self._asking.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._asking.release()

    def _end(self) -> None:
        """Kill and collect the process; by whoever holds the lock only."""
        self._closed = True
        kill_group(self._pid)
        self._server.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()


class _Watch:
    """Kills a process group when its time or memory is used up, while the block runs."""

    def __init__(self, pid: int, timeout_s: float, memory_mb: int) -> None:
        self.exceeded: LimitExceededError | None = None
        self._pid, self._timeout_s, self._memory_mb = pid, timeout_s, memory_mb
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lean-watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        deadline = time.monotonic() + self._timeout_s
        while not self._done.wait(min(_WATCH_S, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                self.exceeded = LimitExceededError(
                    VerdictReason.TIMEOUT, f"no answer within {self._timeout_s:g} s"
                )
            elif resident_mb(self._pid) > self._memory_mb:
                self.exceeded = LimitExceededError(
                    VerdictReason.MEMORY_LIMIT, f"more than {self._memory_mb} MiB of memory used"
                )
            if self.exceeded is not None:
                kill_group(self._pid)
                return


def resident_mb(pid: int) -> float:
    """Resident memory of one process in MiB; 0 when it is gone."""
    try:
        return float(psutil.Process(pid).memory_info().rss) / _MIB
    except psutil.Error:
        return 0.0


def kill_group(pid: int) -> None:
    """SIGKILL a process group by the id of its first process, if it is still there."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
