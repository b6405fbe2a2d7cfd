"""Folders and shims with which `lean-interact` starts one of our programs as its REPL.

`LeanREPLConfig(local_repl_path=..., build_repl=False, lake_path=...)` runs
`<lake_path> env <local_repl_path>/.lake/build/bin/repl` in a new process session and reads
the version from `<local_repl_path>/lean-toolchain`. It never drains standard error, so the
shim sends that to a file or nowhere.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shlex
import shutil
import stat
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ragsolver_verifier.toolchain.locate import EmbeddedToolchain, program_argv
from ragsolver_verifier.toolchain.prune import mark_used

_REPL: Final = Path(".lake", "build", "bin", "repl")
_LOG_BLOCKS: Final = "2097152"
"""Of 512 bytes, as `ulimit` counts: a log may grow to 1 GiB. Without one no file can grow."""
_NOT_WRITABLE: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_LAKE: Final = """\
#!/bin/sh
case "$1" in
  --version) echo "Lake version 5.0.0-ragsolver (Lean version {version})" ;;
  build) ;;
  env) shift; exec "$@" ;;
  *) echo "this stands for lake, and knows only: --version, build, env" >&2; exit 1 ;;
esac
"""


@dataclass(frozen=True)
class ReplLayout:
    """What `lean_interact.LeanREPLConfig` takes.

    Attributes:
        local_repl_path: its argument of the same name.
        lake_path: its argument of the same name.
    """

    local_repl_path: Path
    lake_path: Path


def repl_layout(
    toolchain: EmbeddedToolchain,
    program: Path,
    *,
    args: Sequence[str] = (),
    log: Path | None = None,
    folder: Path | None = None,
    prefix: Sequence[str] = (),
) -> ReplLayout:
    """Write the layout that starts `program`, or find it written before.

    Args:
        toolchain: the toolchain to run the program with.
        program: a Lean file that defines `main`.
        args: the arguments of `main`.
        log: file that standard error is appended to; nowhere when None.
        folder: where layouts are kept; beside the toolchain when None.
        prefix: command of a sandbox, which the program's own is put behind.
    """
    command = shlex.join([*prefix, *program_argv(toolchain, program, args)])
    target = shlex.quote(str(log.resolve() if log else os.devnull))
    limits = "ulimit -c 0\nulimit -f " + (_LOG_BLOCKS if log else "0")
    script = f"#!/bin/sh\n{limits}\nexec env -i {command} 2>>{target}\n"
    return written_layout(toolchain.lean_version, script, folder or toolchain.root.parent / "repl")


def written_layout(lean_version: str, script: str, base: Path) -> ReplLayout:
    """Write a layout whose program is a shell script, or find it written before.

    Args:
        lean_version: what `lean-interact` reads.
        script: starts the program.
        base: where layouts are kept; where nothing can be written there, as in a container whose
            cache is read only, the folder for temporary files takes its place.

    Raises:
        OSError: neither can be written.
    """
    files = {
        "lean-toolchain": f"leanprover/lean4:v{lean_version}\n",
        "lake": _LAKE.format(version=lean_version),
        _REPL.as_posix(): script,
    }
    name = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    try:
        layout = _kept(base, name, files)
    except OSError as error:
        if error.errno not in _NOT_WRITABLE:
            raise
        layout = _kept(_own_folder(), name, files)
    return ReplLayout(layout, layout / "lake")


def _own_folder() -> Path:
    """A folder for temporary files in which nobody else can have put anything.

    Raises:
        OSError: somebody else made it.
    """
    folder = Path(tempfile.gettempdir()) / f"ragsolver-repl-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is open to others: remove it, so that it is made anew")
    return folder


def _kept(base: Path, name: str, files: dict[str, str]) -> Path:
    layout = base / name
    if layout.is_dir():
        mark_used(layout)
    else:
        _write(base, layout, files)
    return layout


def _write(base: Path, layout: Path, files: dict[str, str]) -> None:
    """Write the files aside and rename: several processes may do this at once."""
    base.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=base, prefix=".new-"))
    for name, text in files.items():
        path = aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755)
    aside.chmod(0o755)
    try:
        aside.rename(layout)
    except OSError:
        shutil.rmtree(aside)
        if not layout.is_dir():
            raise
