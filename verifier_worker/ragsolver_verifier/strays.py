"""Processes that outlive the one that started them: found by the pipe that they still hold."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import psutil

_ACCESS: Final = os.O_RDONLY | os.O_WRONLY | os.O_RDWR
_ROUNDS: Final = 5


def writers(inode: int) -> Iterator[int]:
    """Ids of other processes that can write into a pipe; none where there is no `/proc`."""
    for pid in psutil.pids():
        if pid != os.getpid() and _writes(Path("/proc", str(pid)), f"pipe:[{inode}]"):
            yield pid


def _writes(process: Path, pipe: str) -> bool:
    with suppress(OSError, ValueError):
        for held in (process / "fd").iterdir():
            if str(held.readlink()) == pipe:
                info = (process / "fdinfo" / held.name).read_text("ascii")
                flags = next(line for line in info.splitlines() if line.startswith("flags:"))
                if int(flags.split()[1], 8) & _ACCESS != os.O_RDONLY:
                    return True
    return False


def kill_writers(inode: int) -> None:
    """SIGKILL every other process that can write into a pipe of ours.

    A process that ended by itself takes its children's place in the tree with it. What it left
    behind in a session of its own belongs to nobody any more, but holds the pipe of its answers.
    """
    for _ in range(_ROUNDS):
        found = list(writers(inode))
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return
