"""Unpack the package and, within it, Lean's library."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final

from ragsolver_verifier.toolchain.errors import ToolchainError

SCRIPT: Final = "lean.js"
MODULE: Final = "lean.wasm"
LIBRARY_ARCHIVE: Final = "lean-lib.tar.gz"
LIBRARY: Final = "lib"
_REPORT_EVERY: Final = 100


def unpack_package(archive: Path, target: Path) -> None:
    """Unpack the three files of the package into `target`, without their `package/` folder.

    Raises:
        ToolchainError: a file is missing or the archive cannot be read.
    """
    wanted = {f"package/{name}": name for name in (SCRIPT, MODULE, LIBRARY_ARCHIVE)}
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                name = wanted.pop(member.name, None)
                if name is not None:
                    member.name = name
                    tar.extract(member, target, filter="data")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ToolchainError(f"cannot unpack {archive}: {error}") from error
    if wanted:
        raise ToolchainError(f"{archive.name} has no {', '.join(sorted(wanted))}")


def unpack_library(archive: Path, target: Path, tick: Callable[[int], None]) -> int:
    """Unpack Lean's library, leaving out the macOS resource files (`._*`).

    Args:
        archive: the library's archive.
        target: the folder that becomes the library.
        tick: called now and then with the number of files so far.

    Returns:
        The number of files.

    Raises:
        ToolchainError: the archive cannot be read, or holds no `Init.olean`.
    """
    count = 0
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                if PurePosixPath(member.name).name.startswith("._"):
                    continue
                tar.extract(member, target, filter="data")
                count += member.isfile()
                if count % _REPORT_EVERY == 0:
                    tick(count)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ToolchainError(f"cannot unpack {archive}: {error}") from error
    if not (target / "Init.olean").is_file():
        raise ToolchainError(f"{archive.name} holds no Init.olean: it is not Lean's library")
    return count
