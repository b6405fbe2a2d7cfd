"""One Lean process that answers requests of the checker program, with hard limits.

`lean-interact` speaks the protocol of a process in a session of its own; `watch.py` starts that,
and kills it with all below it at a limit.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from ragsolver_contracts.lean import Isolation, LeanToolchain
from ragsolver_verifier.errors import (
    IsolationError,
    ProtocolError,
    SessionDiedError,
    SessionStoppedError,
)
from ragsolver_verifier.isolation import require_in_force
from ragsolver_verifier.tree import kill_tree
from ragsolver_verifier.watch import Limits, Watch

if TYPE_CHECKING:
    from ragsolver_verifier.repl import ReplServer

Answer = Mapping[str, Any]
_MIB: Final = 1024**2
_GRACE_S: Final = 15.0
_OUTPUT_MB: Final = 64
"""Of an answer for which no limit was given."""


class LeanSession(Protocol):
    """A process that holds Lean environments and answers one request at a time."""

    toolchain: LeanToolchain
    isolation: Isolation
    """What stands between the code that it runs and the machine."""

    @property
    def alive(self) -> bool:
        """Whether it can still answer."""

    @property
    def cpu_s(self) -> float:
        """CPU seconds that it used so far, as measured when its last request ended."""

    @property
    def requests(self) -> int:
        """Requests answered so far."""

    @property
    def header_hits(self) -> int:
        """Requests answered so far whose header's environment was there already."""

    @property
    def header_misses(self) -> int:
        """Requests answered so far for which a header's environment was made."""

    def ask(
        self,
        request: Mapping[str, Any],
        *,
        timeout_s: float,
        memory_mb: int | None = None,
        cpu_s: float | None = None,
        output_mb: int | None = None,
    ) -> Answer:
        """The answer to one request; blocks.

        Args:
            request: one JSON object.
            timeout_s: wall-clock seconds after which the process is killed.
            memory_mb: resident MiB at which it is killed, where that is less than its own limit.
            cpu_s: CPU seconds, over all threads, after which it is killed; None for no limit.
            output_mb: MiB of its answer at which it is killed; 64 when None.

        Raises:
            LimitExceededError: a limit was reached; the process was killed.
            SessionDiedError: the process ended without an answer.
            ProtocolError: what came back is not JSON; the process was killed.
            IsolationError: the sandbox is not in force; the process was killed.
            SessionStoppedError: `close` was called meanwhile.
        """

    def memory_mb(self) -> float:
        """Resident memory when its last request ended, in MiB; 0 when it is dead."""

    def close(self) -> None:
        """Kill the process, whatever it does; may be called twice and from any thread."""


@dataclass(frozen=True)
class Program:
    """How to start a checker process.

    Attributes:
        repl_path: `lean-interact`'s `local_repl_path`.
        lake_path: the `lake` that starts it.
        toolchain: what verdicts say about it.
        isolation: what verdicts say stands between its code and the machine.
        env: the whole environment of `lake_path`.
        sandbox: executable of the sandbox, where there is one; that it is in force is then
            looked at when the process has given its first answer.
    """

    repl_path: Path
    lake_path: Path
    toolchain: LeanToolchain
    isolation: Isolation = field(default_factory=Isolation)
    env: Mapping[str, str] = field(default_factory=lambda: {"PATH": os.defpath})
    sandbox: Path | None = None


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
        self.toolchain = program.toolchain
        self.isolation = program.isolation
        self._sandbox = program.sandbox
        self._limit_mb = memory_mb
        self._requests = 0
        self._headers: Counter[bool] = Counter()
        self._closed = False
        self._asking = threading.Lock()
        try:
            self._watch = Watch(lambda: self._start(program))
        except (OSError, ChildProcessError) as error:
            raise SessionDiedError(f"the Lean process did not start: {error}") from error

    def _start(self, program: Program) -> int:
        # Imported here: it costs seconds, and the command line imports this module.
        from ragsolver_verifier.repl import ReplServer

        self._server: ReplServer = ReplServer(
            program.repl_path,
            program.lake_path,
            program.env,
            self._flooded,
        )
        return self._server.pid

    def _flooded(self) -> None:
        self._watch.output_exceeded()

    @property
    def alive(self) -> bool:
        """Whether the process runs and was not closed."""
        return not self._closed and bool(self._server.is_alive())

    @property
    def requests(self) -> int:
        """Requests answered so far."""
        return self._requests

    @property
    def pid(self) -> int:
        """Of the process that was started; a sandbox's own, where there is one."""
        return self._watch.pid

    @property
    def cpu_s(self) -> float:
        """See `LeanSession.cpu_s`."""
        return self._watch.cpu_s

    @property
    def header_hits(self) -> int:
        """See `LeanSession.header_hits`."""
        return self._headers[True]

    @property
    def header_misses(self) -> int:
        """See `LeanSession.header_misses`."""
        return self._headers[False]

    def ask(
        self,
        request: Mapping[str, Any],
        *,
        timeout_s: float,
        memory_mb: int | None = None,
        cpu_s: float | None = None,
        output_mb: int | None = None,
    ) -> Answer:
        """See `LeanSession.ask`."""
        if not self.alive:
            raise SessionDiedError("the Lean process is not running")
        limits = Limits(
            timeout_s,
            min(memory_mb or self._limit_mb, self._limit_mb),
            cpu_s,
            output_mb or _OUTPUT_MB,
        )
        with self._asking:
            answer = self._answer(dict(request), limits)
            if not isinstance(answer, dict):
                self._end()
                raise ProtocolError(f"the Lean process answered {type(answer).__name__}")
            if self._requests == 0:
                self._require_isolation()
        self._requests += 1
        cached = answer.get("header_cached")
        if isinstance(cached, bool):
            self._headers[cached] += 1
        return answer

    def _answer(self, request: dict[str, Any], limits: Limits) -> object:
        if self._server.answers.unasked():
            self._end()
            raise ProtocolError("the Lean process answered before it was asked")
        self._server.answers.limit = limits.output_mb * _MIB
        try:
            with self._watch.limited(limits):
                return self._server.run_dict(request, timeout=limits.timeout_s + _GRACE_S)
        except (OSError, TimeoutError, AssertionError, ValueError, RecursionError) as error:
            stopped = self._closed
            self._end()
            raise self._meaning(error, stopped) from error

    def _require_isolation(self) -> None:
        """What the program promises of its isolation holds, now that it has answered."""
        try:
            require_in_force(self.isolation, self._sandbox, self.pid)
        except IsolationError:
            self._end()
            raise

    def _meaning(self, error: Exception, stopped: bool) -> Exception:
        if stopped:
            return SessionStoppedError("the session was closed while it worked")
        if self._watch.exceeded is not None:
            return self._watch.exceeded
        if isinstance(error, (ValueError, RecursionError)):
            return ProtocolError(f"the Lean process did not answer in JSON: {error}")
        return SessionDiedError("the Lean process ended without an answer")

    def memory_mb(self) -> float:
        """Resident memory when its last request ended, in MiB; 0 when it is dead."""
        return self._watch.resident_mb if self.alive else 0.0

    def close(self) -> None:
        """Kill the process and all below it; a request that waits for its answer collects it."""
        self._closed = True
        if self._server.is_alive():
            kill_tree(self.pid)
        if self._asking.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._asking.release()

    def _end(self) -> None:
        """Kill and collect the process; by whoever holds the lock only."""
        self._closed = True
        self._server.kill()
        self._watch.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()
