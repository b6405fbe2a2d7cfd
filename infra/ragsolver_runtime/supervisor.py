"""Keeps worker processes alive: starts them, starts dead ones again, stops all of them.

Each child is a process of its own in a session of its own, so Ctrl-C on the terminal reaches only
the supervisor, and stopping a child stops whatever it started. When the supervisor itself is
killed, the kernel tells the children (see `child_process`).
"""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from ragsolver_runtime import child_process
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.tasks import end

_log = logging.getLogger(__name__)

_TAIL_LINES = 12
LOG_BYTES = 16 * 1024**2
"""What a child printed before, above which its next start begins a new file."""


class WorkerDiedError(BusError):
    """A worker ends again and again right after its start: starting it once more cannot help."""


@dataclass(frozen=True)
class ChildSpec:
    """One process to keep alive."""

    name: str
    """Unique, for people: `verifier-1`."""
    arguments: tuple[str, ...]
    log: Path
    """Where its output goes; appended to."""
    withheld: tuple[str, ...] = ()
    """Environment variables that it does not get."""


@dataclass(frozen=True)
class SupervisorSettings:
    """Times in seconds."""

    first_delay_s: float = 0.2
    """Before the first restart; doubles with every death in a row."""
    max_delay_s: float = 10.0
    short_life_s: float = 60.0
    """A child that lived longer was healthy: its deaths are counted anew."""
    max_short_lives: int = 5
    """Deaths in a row after short lives that are a failure of infrastructure."""
    hopeless_codes: frozenset[int] = frozenset({2})
    """Exit codes after which another start cannot help: wrong settings."""
    grace_s: float = 10.0
    """From SIGTERM to SIGKILL when everything stops."""


@dataclass
class _Child:
    spec: ChildSpec
    process: asyncio.subprocess.Process | None = None
    restarts: int = 0
    exits: list[int] = field(default_factory=list)


class Supervisor:
    """`async with Supervisor(specs) as supervisor:` runs the children for the block."""

    def __init__(
        self,
        specs: Sequence[ChildSpec],
        settings: SupervisorSettings | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings or SupervisorSettings()
        self._children = {spec.name: _Child(spec) for spec in specs}
        if len(self._children) != len(specs):
            raise ValueError("two children have the same name")
        self._env = env
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        try:
            for child in self._children.values():
                await self._start(child)
        except BaseException:
            await self._stop_all()
            raise
        for name, child in self._children.items():
            self._tasks.append(asyncio.create_task(self._keep(child), name=f"keep {name}"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await end(*self._tasks)
        await self._stop_all()

    @property
    def pids(self) -> dict[str, int]:
        """Process id of every child that lives now, by name."""
        return {
            name: child.process.pid
            for name, child in self._children.items()
            if child.process is not None and child.process.returncode is None
        }

    @property
    def restarts(self) -> dict[str, int]:
        """How often each child that died was started again."""
        return {name: c.restarts for name, c in self._children.items() if c.restarts}

    async def wait_failed(self) -> None:
        """Wait until a child cannot be kept alive; for ever if all can.

        Raises:
            WorkerDiedError: with the end of the child's log.
        """
        if not self._tasks:
            await asyncio.Event().wait()
        done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def _start(self, child: _Child) -> None:
        child.spec.log.parent.mkdir(parents=True, exist_ok=True)
        put_aside(child.spec.log, LOG_BYTES)
        with child.spec.log.open("ab") as log:
            child.process = await child_process.spawn(
                child.spec.arguments, env=self._env_of(child.spec), stdout=log, stderr=log
            )
        _log.info("started %s, process id %d", child.spec.name, child.process.pid)

    def _env_of(self, spec: ChildSpec) -> Mapping[str, str] | None:
        if not spec.withheld:
            return self._env
        env = os.environ if self._env is None else self._env
        return {name: value for name, value in env.items() if name not in spec.withheld}

    async def _keep(self, child: _Child) -> None:
        short_lives = 0
        while child.process is not None:
            born = time.monotonic()
            code = await child.process.wait()
            child.exits.append(code)
            # Its own children may have survived it: nobody else stops them.
            child_process.kill_group(child.process.pid)
            lived = time.monotonic() - born
            short_lives = short_lives + 1 if lived < self._settings.short_life_s else 1
            hopeless = code in self._settings.hopeless_codes
            if hopeless or short_lives > self._settings.max_short_lives:
                raise WorkerDiedError(self._obituary(child, short_lives))
            delay = self._delay(short_lives)
            _log.warning(
                "%s ended (%s) after %.1f s; starting it again in %.1f s",
                child.spec.name,
                ending(code),
                lived,
                delay,
            )
            await asyncio.sleep(delay)
            child.restarts += 1
            await self._start(child)

    def _delay(self, deaths: int) -> float:
        doubled = self._settings.first_delay_s * 2.0 ** (deaths - 1)
        return float(min(doubled, self._settings.max_delay_s))

    def _obituary(self, child: _Child, deaths: int) -> str:
        endings = ", ".join(ending(code) for code in child.exits[-deaths:])
        often = "" if deaths == 1 else f" {deaths} times in a row soon after its start"
        return (
            f"{child.spec.name} ended{often} ({endings}). "
            f"The end of its log {child.spec.log}:\n{log_tail(child.spec.log)}"
        )

    async def _stop_all(self) -> None:
        living = [c.process for c in self._children.values() if c.process is not None]
        stops = (child_process.stop(p, grace_s=self._settings.grace_s) for p in living)
        await asyncio.gather(*stops, return_exceptions=True)
        for process in living:
            with contextlib.suppress(PermissionError):
                child_process.kill_group(process.pid)


def put_aside(log: Path, limit: int) -> None:
    """A log above `limit` bytes becomes `NAME.1`, in place of an older one."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > limit:
            log.replace(log.with_name(f"{log.name}.1"))


def ending(code: int) -> str:
    """How a process ended, in words."""
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def log_tail(log: Path, lines: int = _TAIL_LINES) -> str:
    """The last lines of a log, indented."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - 20_000))
            text = stream.read().decode("utf-8", "replace")
    except OSError as error:
        return f"    (no log: {error})"
    kept = text.splitlines()[-lines:]
    return "\n".join(f"    {line[:400]}" for line in kept) or "    (it is empty)"
