"""Find the installed toolchain and run Lean programs with it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ragsolver_runtime.paths import cache_dir
from ragsolver_verifier.toolchain import pins
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.node import node_path
from ragsolver_verifier.toolchain.process import run_group

STAMP: Final = "stamp.json"
REMEDY: Final = "run `ragsolver lean install`"
_RUNNER: Final = Path(__file__).with_name("runner.js")


@dataclass(frozen=True)
class EmbeddedToolchain:
    """An installed, complete embedded toolchain.

    Attributes:
        root: its folder.
        lean_version: Lean's version, for example `4.28.0-pre`.
        commit: Lean's commit, 40 hexadecimal digits.
        package: the npm package it was made from, with its version.
        digest: SHA-256 of everything installed, in hexadecimal: the version pin of an index
            or a verdict.
    """

    root: Path
    lean_version: str
    commit: str
    package: str
    digest: str


def lean_cache(cache: Path | None = None) -> Path:
    """The folder of everything that this package keeps in the product's cache."""
    return (cache or cache_dir()) / "lean"


def install_folder(cache: Path | None = None) -> Path:
    """Where the pinned toolchain is installed."""
    return lean_cache(cache) / pins.INSTALL_NAME


def locate(cache: Path | None = None) -> EmbeddedToolchain | None:
    """Find the pinned toolchain in the cache; None when it is absent or incomplete.

    The stamp is written last, and the folder appears by one rename, so a stamp whose listed
    files have the listed sizes means a whole installation.
    """
    root = install_folder(cache)
    try:
        stamp = json.loads((root / STAMP).read_text("utf-8"))
        sizes = {name: (root / name).stat().st_size for name in stamp["sizes"]}
        found = EmbeddedToolchain(
            root.resolve(), stamp["lean_version"], stamp["commit"], stamp["package"],
            stamp["digest"],
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if sizes != stamp["sizes"] or not (root / "lib" / "Init.olean").is_file():
        return None
    return found


def require(cache: Path | None = None) -> EmbeddedToolchain:
    """Find the pinned toolchain.

    Raises:
        ToolchainMissing: it is not installed; says what to run.
    """
    found = locate(cache)
    if found is None:
        raise ToolchainMissing(
            f"the embedded Lean toolchain is not in {install_folder(cache)}: {REMEDY}"
        )
    return found


def program_argv(
    toolchain: EmbeddedToolchain, program: Path, args: Sequence[str] = ()
) -> list[str]:
    """The command that runs a Lean program.

    The program reads `/channel/requests` (the command's standard input) and writes
    `/channel/answers` (its standard output); see `runner.js`. Node itself is restricted to
    reading the toolchain and the program.

    Args:
        toolchain: the toolchain to run it with.
        program: a Lean file that defines `main`.
        args: the arguments of `main`.

    Raises:
        ToolchainMissing: Node is not installed.
    """
    return runner_argv(toolchain.root, program, args)


def runner_argv(root: Path, program: Path, args: Sequence[str] = ()) -> list[str]:
    """`program_argv` for a toolchain folder that has no stamp yet."""
    source = program.resolve()
    readable = [f"--allow-fs-read={path}" for path in (root, _RUNNER, source)]
    node = [str(node_path()), "--permission", "--allow-worker", *readable]
    node += ["--disable-warning=SecurityWarning", str(_RUNNER)]
    return [*node, str(root), str(source), *args]


def clean_environment() -> dict[str, str]:
    """The environment that a toolchain process starts with: nothing of ours."""
    return {"PATH": os.defpath}


def run_program(
    toolchain: EmbeddedToolchain,
    program: Path,
    args: Sequence[str] = (),
    *,
    timeout_s: float,
    stdin: bytes | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a Lean program to its end, in a process group that is killed whole on a timeout.

    Returns:
        `stdout` holds what the program wrote to `/channel/answers`; `stderr` everything
        else. The exit code of the WebAssembly build is not meaningful: judge by the answers.

    Raises:
        subprocess.TimeoutExpired: the program did not end in time; it was killed.
        ToolchainMissing: Node is not installed.
    """
    argv = program_argv(toolchain, program, args)
    return run_group(argv, timeout_s=timeout_s, stdin=stdin, env=clean_environment())
