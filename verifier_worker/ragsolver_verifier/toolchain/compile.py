"""Compile our Lean programs once, so that a start loads them instead of elaborating them.

`lean --run` elaborates a program's source at every start, several CPU seconds for the
checker. Compiled, the program's code is read from an `.ir` file by a small loader
(`lean_project/Loader.lean`). The result is cached by the source and the toolchain; without
it the program runs from source.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from filelock import FileLock

from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.flatten import flatten, imported
from ragsolver_verifier.toolchain.locate import (
    CompiledProgram,
    EmbeddedToolchain,
    clean_environment,
    compiled_folder,
    find_compiled,
    runner_argv,
    single_file,
)
from ragsolver_verifier.toolchain.process import run_group

_TIMEOUT_S: Final = 300.0
_MAGIC: Final = b"olean"


def loader_source(template: str, program: str) -> str:
    """The loader for a program: the template, importing what the program imports too.

    Args:
        template: text of `lean_project/Loader.lean`, whose first line is `module`.
        program: the program's source, its parts joined.
    """
    lines = "".join(f"public import {module}\n" for module in imported(program))
    return template.replace("module\n", f"module\n{lines}", 1)


def compile_program(toolchain: EmbeddedToolchain, program: Path, loader: Path) -> CompiledProgram:
    """Compile a program, or find it compiled before.

    Args:
        toolchain: the toolchain to compile it with.
        program: a Lean file that defines `main`, with its parts if it has some (see
            `flatten.py`), and no `initialize`.
        loader: `lean_project/Loader.lean`.

    Raises:
        ToolchainError: the program does not compile, with Lean's messages, or took more
            than five minutes.
        OSError: a file cannot be read or written.
    """
    found = find_compiled(toolchain, program)
    if found is not None:
        return found
    folder = compiled_folder(toolchain, program)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_suffix(".lock")):
        found = find_compiled(toolchain, program)  # another process may just have made it
        if found is not None:
            return found
        code = _compile(toolchain, program)
        start = loader_source(loader.read_text("utf-8"), flatten(program))
        return _store(CompiledProgram(folder), code, start)


def _compile(toolchain: EmbeddedToolchain, program: Path) -> bytes:
    source = single_file(toolchain, program)
    argv = runner_argv(toolchain.root, "compile", [source])
    try:
        result = run_group(argv, timeout_s=_TIMEOUT_S, env=clean_environment())
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"{program} did not compile within {_TIMEOUT_S:.0f} s") from error
    if not result.stdout.startswith(_MAGIC):
        words = result.stderr.decode(errors="replace").strip()[-4000:]
        where = "" if source == program else f" (lines are those of {source})"
        raise ToolchainError(f"{program} does not compile{where}: {words}")
    return result.stdout


def _store(target: CompiledProgram, code: bytes, loader: str) -> CompiledProgram:
    """Write the files aside and rename: a kill leaves nothing that looks whole."""
    aside = CompiledProgram(Path(tempfile.mkdtemp(dir=target.folder.parent, prefix=".new-")))
    aside.folder.chmod(0o755)
    aside.code.write_bytes(code)
    aside.loader.write_text(loader, "utf-8")
    shutil.rmtree(target.folder, ignore_errors=True)
    aside.folder.rename(target.folder)
    return target
