"""Run a command in a process group of its own, and end the whole group."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import IO


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process started with `start_new_session` and all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def run_group(
    argv: Sequence[str],
    *,
    timeout_s: float,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    tick: Callable[[], None] | None = None,
    tick_s: float = 0.5,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end; kill its whole group on a timeout or an exception.

    Args:
        argv: program and arguments.
        timeout_s: wall-clock limit in seconds.
        stdin: what the command reads; nothing when None.
        env: its environment; ours when None.
        cwd: its working folder; ours when None.
        tick: called about every `tick_s` seconds while it runs.
        tick_s: seconds between two calls of `tick`.

    Raises:
        subprocess.TimeoutExpired: with the output so far.
    """
    with TemporaryFile() as source, TemporaryFile() as out, TemporaryFile() as err:
        source.write(stdin or b"")
        source.seek(0)
        process = subprocess.Popen(
            argv, stdin=source, stdout=out, stderr=err, env=env, cwd=cwd, start_new_session=True
        )
        deadline = monotonic() + timeout_s
        try:
            while process.poll() is None:
                left = deadline - monotonic()
                if left <= 0:
                    raise subprocess.TimeoutExpired(
                        list(argv), timeout_s, _content(out), _content(err)
                    )
                if tick is not None:
                    tick()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(min(left, tick_s))
        finally:
            end_group(process)
        return subprocess.CompletedProcess(
            list(argv), process.returncode, _content(out), _content(err)
        )


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
