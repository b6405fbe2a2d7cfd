"""Run a long command, hearing its lines while it runs."""

from __future__ import annotations

import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from ragsolver_verifier.toolchain.process import end_group

_KEPT: Final = 400
_LONGEST: Final = 2000


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes:
        code: exit code; negative for a signal.
        output: its last lines, standard output and error together.
    """

    code: int
    output: str


def run_streaming(
    argv: Sequence[str],
    *,
    timeout_s: float,
    cwd: Path,
    env: Mapping[str, str],
    heard: Callable[[str], None],
) -> Ended:
    """Run a command to its end; kill its whole group on a timeout or an exception.

    Args:
        argv: program and arguments.
        timeout_s: wall-clock limit in seconds.
        cwd: its working folder.
        env: its environment.
        heard: called with each line, from a thread; a carriage return ends a line too.

    Raises:
        subprocess.TimeoutExpired: with the last lines of output.
        OSError: it cannot be started.
    """
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=env,
        start_new_session=True,
    )
    kept: deque[str] = deque(maxlen=_KEPT)
    reader = threading.Thread(target=_read, args=(process.stdout, kept, heard), daemon=True)
    reader.start()
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired as error:
        raise subprocess.TimeoutExpired(error.cmd, timeout_s, "\n".join(kept)) from None
    finally:
        end_group(process)
        reader.join(timeout=5.0)
        if process.stdout is not None:
            process.stdout.close()
    return Ended(process.returncode, "\n".join(kept))


def _read(stream: IO[bytes] | None, kept: deque[str], heard: Callable[[str], None]) -> None:
    pending = b""
    while stream is not None and (block := stream.read1(65536)):  # type: ignore[attr-defined]
        *whole, pending = (pending + block.replace(b"\r", b"\n")).split(b"\n")
        for line in whole:
            _tell(line, kept, heard)
    _tell(pending, kept, heard)


def _tell(line: bytes, kept: deque[str], heard: Callable[[str], None]) -> None:
    text = line.decode(errors="replace").rstrip()[:_LONGEST]
    if text:
        kept.append(text)
        heard(text)
