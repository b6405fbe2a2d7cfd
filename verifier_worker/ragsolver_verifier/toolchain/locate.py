"""Find the installed toolchain and run Lean programs with it."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ragsolver_runtime.paths import cache_dir
from ragsolver_verifier.toolchain import pins
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.flatten import flatten
from ragsolver_verifier.toolchain.node import node_path
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.toolchain.prune import mark_used

STAMP: Final = "stamp.json"
REMEDY: Final = "run `ragsolver lean install`"
COMPILER_VERSION: Final = 1
"""Raised whenever `compile.py` or the loader changes what it produces."""
_RUNNER: Final = Path(__file__).with_name("runner.js")
_MOST_STACK_KIB: Final = 64 * 1024
_SCRIPTS: Final = tuple(_RUNNER.with_name(name) for name in ("library.js", "thread.js"))


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


@dataclass(frozen=True)
class CompiledProgram:
    """A Lean program compiled to Lean's intermediate representation.

    Attributes:
        folder: holds the two files below.
    """

    folder: Path

    @property
    def code(self) -> Path:
        """The compiled code."""
        return self.folder / "Program.ir"

    @property
    def loader(self) -> Path:
        """The Lean file that loads and starts it."""
        return self.folder / "Loader.lean"


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
    mark_used(found.root / STAMP)
    return found


def program_argv(
    toolchain: EmbeddedToolchain, program: Path, args: Sequence[str] = ()
) -> list[str]:
    """The command that runs a Lean program, compiled if `compile.py` did so before.

    The program reads `/channel/requests` (the command's standard input) and writes
    `/channel/answers` (its standard output); see `runner.js`. Node itself is restricted to
    reading the toolchain and the program.

    Args:
        toolchain: the toolchain to run it with.
        program: a Lean file that defines `main`; its parts are beside it (`flatten.py`).
        args: the arguments of `main`.

    Raises:
        ToolchainMissing: Node is not installed.
        OSError: the program cannot be read, or its parts joined cannot be written.
    """
    compiled = find_compiled(toolchain, program)
    if compiled is None:
        return runner_argv(toolchain.root, "run", [single_file(toolchain, program)], args)
    return runner_argv(toolchain.root, "load", [compiled.loader, compiled.code], args)


def compiled_folder(toolchain: EmbeddedToolchain, program: Path) -> Path:
    """Where the compiled form of exactly this source, parts included, belongs."""
    return _kept_as(toolchain, flatten(program).encode())


def _kept_as(toolchain: EmbeddedToolchain, source: bytes) -> Path:
    key = hashlib.sha256(f"{toolchain.digest} {COMPILER_VERSION} ".encode() + source)
    return toolchain.root.parent / "programs" / key.hexdigest()[:32]


def find_compiled(toolchain: EmbeddedToolchain, program: Path) -> CompiledProgram | None:
    """The compiled form of exactly this source, if it was made before.

    Raises:
        OSError: the program cannot be read.
    """
    found = CompiledProgram(compiled_folder(toolchain, program))
    if not (found.code.is_file() and found.loader.is_file()):
        return None
    mark_used(found.folder)
    return found


def single_file(toolchain: EmbeddedToolchain, program: Path) -> Path:
    """The program as one file: itself, or its parts joined in a file beside its compiled form.

    Raises:
        OSError: a part cannot be read, or the joined file cannot be written.
    """
    text = flatten(program).encode()
    if text == program.read_bytes():
        return program
    joined = _kept_as(toolchain, text).with_suffix(".lean")
    if not joined.is_file():
        joined.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=joined.parent, prefix=".new-", delete=False) as new:
            new.write(text)
        Path(new.name).chmod(0o644)
        Path(new.name).rename(joined)  # whole or not at all
    mark_used(joined)
    return joined


def runner_argv(
    root: Path, mode: str, files: Sequence[Path], args: Sequence[str] = ()
) -> list[str]:
    """The command of `runner.js` in one of its modes; `root` needs no stamp yet."""
    sources = [path.resolve() for path in files]
    readable = [f"--allow-fs-read={path}" for path in (root, _RUNNER, *_SCRIPTS, *sources)]
    node = [str(node_path()), "--permission", "--allow-worker", *readable]
    # Most functions of the module are never called: validate each when it first is.
    node += ["--wasm-lazy-validation", "--disable-warning=SecurityWarning"]
    node += [f"--stack-size={_stack_kib()}", str(_RUNNER)]
    return [*node, str(root), mode, *map(str, sources), *args]


def _stack_kib() -> int:
    """What Node may use of the stack that the system gives a process, in KiB.

    Node's own default is one MiB, of which deep proofs run out.
    """
    given, _ = resource.getrlimit(resource.RLIMIT_STACK)
    most = _MOST_STACK_KIB if given == resource.RLIM_INFINITY else given // 1024
    return max(984, min(most, _MOST_STACK_KIB) * 3 // 4)


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
