"""Replaying an accepted proof by a program apart, `leanchecker`.

What was accepted is compiled by Lean itself, without our checker, and every declaration of the
compiled file goes once more through a kernel in a process that elaborates nothing. That the text
proves the statement is what the accepted verdict says; this says that the kernel stands by it
whatever the process that judged it had become.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ragsolver_contracts.verdict import Verdict
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.tiers import REPLAYER
from ragsolver_verifier.toolchain.native import NativeToolchain
from ragsolver_verifier.toolchain.process import run_group

MODULE = "RagSolverReplayed"
"""A name that no library has: `leanchecker` takes every module that begins with it."""

Confine = Callable[[Path, Mapping[str, str]], Sequence[str]]
"""The command that runs another one confined, with one folder to write to and an environment."""


def _unconfined(_folder: Path, _environment: Mapping[str, str]) -> Sequence[str]:
    return ()


class ReplayError(LeanFailureError):
    """A proof that was accepted could not be replayed; says what was said."""


def replay(
    toolchain: NativeToolchain,
    verdict: Verdict,
    timeout_s: float,
    confine: Confine = _unconfined,
) -> None:
    """Compile and replay an accepted proof; returns when that succeeded.

    Args:
        toolchain: the one that accepted it.
        verdict: with the complete source.
        timeout_s: wall-clock seconds for each of the two programs.
        confine: puts a sandbox around each of them.

    Raises:
        ReplayError: one of them failed, took too long, or did not say that it did its work.
    """
    replayer, lean = toolchain.program(REPLAYER), toolchain.program("lean")
    if replayer is None or lean is None:
        raise ReplayError(f"{REPLAYER} is not in {toolchain.sysroot / 'bin'}")
    with tempfile.TemporaryDirectory(prefix="ragsolver-replay-") as name:
        folder = Path(name)
        source, compiled = folder / f"{MODULE}.lean", folder / f"{MODULE}.olean"
        source.write_text(verdict.source, encoding="utf-8")
        environment = replay_environment(toolchain, folder)
        prefix = tuple(confine(folder, environment))
        compiling = [*prefix, *compile_argv(lean, source, compiled)]
        _run("lean", compiling, folder, environment, timeout_s)
        if not compiled.is_file():
            raise ReplayError("Lean wrote no compiled file of the accepted proof")
        replaying = [*prefix, str(replayer), "-v", MODULE]
        said = _run(REPLAYER, replaying, folder, environment, timeout_s)
    if f"replaying {MODULE}" not in said.splitlines():
        raise ReplayError(f"{REPLAYER} does not say that it replayed the proof: {said[:300]!r}")


def compile_argv(lean: Path, source: Path, compiled: Path) -> list[str]:
    """The command that compiles the accepted source."""
    return [str(lean), "-o", str(compiled), str(source)]


def replay_environment(toolchain: NativeToolchain, folder: Path) -> dict[str, str]:
    """The toolchain's environment, with the compiled proof beside the library."""
    environment = toolchain.environment()
    path = os.pathsep.join([str(folder), environment["LEAN_PATH"]])
    return {**environment, "LEAN_PATH": path}


def _run(
    name: str, argv: list[str], folder: Path, environment: dict[str, str], timeout_s: float
) -> str:
    """Standard output of a program that must end well.

    Raises:
        ReplayError: it did not.
    """
    try:
        result = run_group(argv, timeout_s=timeout_s, env=environment, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise ReplayError(f"{name} did not end within {timeout_s:g} s") from error
    except OSError as error:
        raise ReplayError(f"{name} could not be started: {error}") from error
    if result.returncode != 0:
        words = (result.stderr + result.stdout).decode(errors="replace").strip()
        raise ReplayError(
            f"{name} does not accept the proof (exit code {result.returncode}): {words[:600]}"
        )
    return result.stdout.decode(errors="replace")
