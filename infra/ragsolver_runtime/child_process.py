"""Child processes that never outlive the process that started them."""

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import IO

_PR_SET_PDEATHSIG = 1


def dies_with_parent(signal_number: int = signal.SIGTERM) -> Callable[[], None] | None:
    """A `preexec_fn` that asks the kernel to signal the child when its parent dies.

    Linux only; elsewhere `None`, and an orphan has to be stopped by hand.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def _ask_kernel() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal_number))

    return _ask_kernel


async def spawn(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    stdout: IO[bytes] | int | None = None,
    stderr: IO[bytes] | int | None = None,
) -> asyncio.subprocess.Process:
    """Start a child in its own session (Ctrl-C reaches only us) that dies with us."""
    return await asyncio.create_subprocess_exec(
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=stdout,
        stderr=stderr,
        env=dict(env) if env is not None else None,
        start_new_session=True,
        preexec_fn=dies_with_parent(),
    )


async def stop(process: asyncio.subprocess.Process, *, grace_s: float) -> int:
    """SIGTERM, wait `grace_s` seconds, then SIGKILL to the whole group; returns the exit code."""
    if process.returncode is not None:
        return process.returncode
    process.terminate()
    try:
        async with asyncio.timeout(grace_s):
            return await process.wait()
    except TimeoutError:
        kill_group(process.pid)
        return await process.wait()


def kill_group(pid: int) -> None:
    """SIGKILL to the process group of a child made by `spawn`; a group already gone is fine."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
