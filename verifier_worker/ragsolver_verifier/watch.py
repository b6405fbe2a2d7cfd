"""A thread that starts a process, measures what it uses and kills it at its limits.

One thread does all of it for as long as the process may live: the kernel ends a sandbox whose
parent is gone, and takes the thread that started it for the parent.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.errors import LimitExceededError
from ragsolver_verifier.tree import kill_tree, usage

_PERIOD_S: Final = 0.1


@dataclass(frozen=True)
class Limits:
    """What one request may use.

    Attributes:
        timeout_s: wall-clock seconds.
        memory_mb: resident MiB of all processes together.
        cpu_s: user and system seconds of all threads of all processes; None for no limit.
        output_mb: MiB of the answer.
    """

    timeout_s: float
    memory_mb: int
    cpu_s: float | None
    output_mb: int


class Watch:
    """Measures a process while a request is under way."""

    def __init__(self, start: Callable[[], int]) -> None:
        """Start the process.

        Args:
            start: starts it and returns its id; called on the thread of the watch.

        Raises:
            Exception: whatever `start` raises.
        """
        self.pid = 0
        self.exceeded: LimitExceededError | None = None
        """The limit that was reached, after which the process was killed."""
        self.cpu_s = 0.0
        """CPU seconds of the process and all below it, when last measured."""
        self.resident_mb = 0.0
        """MiB of the process and all below it, when last measured."""
        self._limits: Limits | None = None
        self._began = self._began_cpu_s = 0.0
        self._stopped = False
        self._changed = threading.Condition()
        self._failure: BaseException | None = None
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(start,), name="lean", daemon=True)
        self._thread.start()
        self._started.wait()
        if self._failure is not None:
            raise self._failure

    @contextmanager
    def limited(self, limits: Limits) -> Iterator[None]:
        """While the block runs, kill the process when it reaches a limit."""
        with self._changed:
            self._measure()
            self._limits, self._began = limits, time.monotonic()
            self._began_cpu_s = self.cpu_s
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._limits = None
                self._measure()

    def output_exceeded(self) -> None:
        """Kill the process: it answers more than it may."""
        with self._changed:
            if self._limits is not None:
                allowed = self._limits.output_mb
                self._exceed(VerdictReason.OUTPUT_LIMIT, f"more than {allowed} MiB of output")

    def stop(self) -> None:
        """End the thread, and with it a sandbox; from any thread."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def _run(self, start: Callable[[], int]) -> None:
        try:
            self.pid = start()
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked for
            self._failure = error
            return
        finally:
            self._started.set()
        with self._changed:
            while not self._stopped:
                limits = self._limits
                if limits is None or self.exceeded is not None:
                    self._changed.wait()
                    continue
                left = self._began + limits.timeout_s - time.monotonic()
                self._changed.wait(min(_PERIOD_S, max(0.0, left)))
                if self._limits is limits and not self._stopped:
                    self._look(limits)

    def _look(self, limits: Limits) -> None:
        self._measure()
        used_s = self.cpu_s - self._began_cpu_s
        if time.monotonic() >= self._began + limits.timeout_s:
            self._exceed(VerdictReason.TIMEOUT, f"no answer within {limits.timeout_s:g} s")
        elif self.resident_mb > limits.memory_mb:
            said = f"more than {limits.memory_mb} MiB of memory used"
            self._exceed(VerdictReason.MEMORY_LIMIT, said)
        elif limits.cpu_s is not None and used_s > limits.cpu_s:
            said = f"more than {limits.cpu_s:g} s of CPU time used"
            self._exceed(VerdictReason.TIMEOUT, said)

    def _measure(self) -> None:
        """Look now; the CPU time of a process that is gone stays as it was."""
        used = usage(self.pid)
        self.cpu_s = max(self.cpu_s, used.cpu_s)
        self.resident_mb = used.resident_mb

    def _exceed(self, reason: VerdictReason, message: str) -> None:
        self.exceeded = LimitExceededError(reason, message)
        kill_tree(self.pid)
