"""`lean-interact`'s server on a process whose answers cannot fill our memory.

`lean-interact` itself is imported when a process is started: that costs seconds, and makes a
folder.
"""

from __future__ import annotations

import io
import os
import select
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from ragsolver_verifier.strays import kill_writers
from ragsolver_verifier.tree import kill_tree

_BLOCK: Final = 65_536
_END: Final = b"\n\n"
_PATIENCE_S: Final = 10.0
_LOOK_S: Final = 0.5
"""Between two looks at whether the process still runs, while it says nothing."""


class _Output:
    """The output of a process, which ends with it, whoever else may hold the pipe."""

    def __init__(self, process: subprocess.Popen[Any], pipe: IO[bytes]) -> None:
        self._process, self._pipe = process, pipe
        self.fileno, self.close = pipe.fileno, pipe.close
        self.inode = os.fstat(pipe.fileno()).st_ino

    def read(self, size: int) -> bytes:
        """What is there, once something is; empty at the end."""
        while not select.select([self._pipe], [], [], _LOOK_S)[0]:
            if self._process.poll() is not None:
                return b""
        return self._pipe.read(size)


class AnswerReader:
    """The standard output of a process, one answer at a time and no more than a limit."""

    def __init__(self, raw: IO[bytes] | _Output, excess: Callable[[], None]) -> None:
        """Nothing is read yet.

        Args:
            raw: unbuffered.
            excess: called when an answer is longer than it may be; ends the process.
        """
        self.limit = _BLOCK
        """Bytes that the next answer may have."""
        self._raw = raw
        self._excess = excess
        self._rest = bytearray()
        self._reading = threading.Lock()

    def unasked(self) -> bool:
        """Whether there is output that no request has asked for."""
        return bool(self._rest) or bool(select.select([self._raw], [], [], 0)[0])

    def readline(self) -> str:
        """A whole answer with the empty line that ends it; empty where there is none.

        `lean-interact` asks for lines until it has such an end, joining them one by one, which a
        flood of short lines turns into an endless copying.
        """
        with self._reading:
            answer, self._rest = self._rest, bytearray()
            looked = 0
            while (end := answer.find(_END, looked)) < 0:
                looked = max(0, len(answer) - 1)
                block = self._raw.read(_BLOCK) if len(answer) <= self.limit else None
                if block is None:
                    self._excess()
                    return ""
                if not block:
                    return ""
                answer += block
            self._rest = answer[end + len(_END) :]
            return bytes(answer[: end + len(_END)]).decode("utf-8", errors="replace")

    def read(self) -> str:
        """Nothing: what a dead process leaves behind is no answer."""
        return ""

    def close(self) -> None:
        """Close the pipe, once nobody reads it any more."""
        if self._reading.acquire(timeout=_PATIENCE_S):
            try:
                self._raw.close()
            finally:
                self._reading.release()


class ReplServer:
    """Starts the process with an empty environment, and ends all that it started."""

    def __init__(
        self,
        repl_path: Path,
        lake_path: Path,
        env: Mapping[str, str],
        excess: Callable[[], None],
    ) -> None:
        """Start it.

        Args:
            repl_path: `lean-interact`'s `local_repl_path`.
            lake_path: the `lake` that starts it.
            env: its whole environment.
            excess: called when an answer is longer than it may be; ends the process.

        Raises:
            OSError: it does not start.
        """
        self._env = dict(env)
        self._excess = excess
        self._killed = False
        self._proc: subprocess.Popen[Any] | None = None
        self._lean = _driven(repl_path, lake_path, self._start, self.kill)

    def _start(self, folder: Path, lake_path: Path) -> subprocess.Popen[Any]:
        """Start the process as the leader of a session of its own."""
        process: subprocess.Popen[Any] = subprocess.Popen(
            [str(lake_path), "env", str(folder / ".lake" / "build" / "bin" / "repl")],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # nobody would read a pipe
            bufsize=0,
            env=self._env,
            start_new_session=True,
        )
        assert process.stdin is not None  # noqa: S101 - asked for above
        assert process.stdout is not None  # noqa: S101
        output = _Output(process, process.stdout)
        self._output = output.inode
        self.answers = AnswerReader(output, self._excess)
        stdin = io.BufferedWriter(process.stdin)
        process.stdin = io.TextIOWrapper(stdin, encoding="utf-8", newline="\n")
        process.stdout = self.answers  # type: ignore[assignment]
        self._proc = process
        return process

    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._proc is not None and self._proc.poll() is None

    def run_dict(self, request: dict[str, Any], *, timeout: float) -> object:
        """The answer to a request, as `lean-interact` reads it; see there for what it raises."""
        return self._lean.run_dict(request, timeout=timeout)

    @property
    def pid(self) -> int:
        """Of the process that was started."""
        return self._proc.pid if self._proc else 0

    def kill(self) -> None:
        """End the process and all below it, and close the pipes; may be called twice."""
        if self._proc is None or self._killed:
            return
        self._killed = True
        kill_tree(self._proc.pid)
        kill_writers(self._output)
        with suppress(subprocess.TimeoutExpired):
            self._proc.wait(timeout=_PATIENCE_S)
        for pipe in (self._proc.stdin, self._proc.stdout):
            with suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()


def _driven(
    repl_path: Path,
    lake_path: Path,
    start: Callable[[Path, Path], subprocess.Popen[Any]],
    kill: Callable[[], None],
) -> Any:
    """A server of `lean-interact` that starts and ends its process in our way."""
    from lean_interact import LeanREPLConfig, LeanServer

    class Server(LeanServer):
        def start(self) -> None:
            self._proc = start(Path(self.config.working_dir), Path(self.config.lake_path))

        def kill(self) -> None:
            kill()

    return Server(
        LeanREPLConfig(
            local_repl_path=str(repl_path),
            build_repl=False,
            lake_path=str(lake_path),
            memory_hard_limit_mb=None,
        )
    )
