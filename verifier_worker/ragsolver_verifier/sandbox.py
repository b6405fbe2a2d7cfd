"""An operating-system sandbox around a program: Linux namespaces, set up by bubblewrap.

What runs in it has namespaces of its own (no network, no other process to be seen or signalled),
no capabilities, no environment but the one given, and an empty, read-only file system with what it
must read bound into it. There is nowhere to write.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.tree import tree

REMEDY: Final = "install the Debian package bubblewrap"
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom")
_NAMESPACES: Final = ("user", "pid", "net", "mnt", "ipc", "uts")
_NOBODY: Final = "65534"
_TRIAL_S: Final = 20.0
_NO_NESTING: Final = (0, 8)
"""The first version that can forbid further user namespaces inside."""


@dataclass(frozen=True)
class View:
    """All that a program in the sandbox sees of the machine.

    Attributes:
        readable: files and folders, read-only under their own paths.
        env: its whole environment.
        proc: whether it has a `/proc`, with nothing in it but its own processes, and `/dev/fd`.
        devices: device files.
        writable: folders of the machine that it may write to; none where it checks proofs.
    """

    readable: tuple[Path, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    proc: bool = False
    devices: tuple[str, ...] = ()
    writable: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Sandbox:
    """An installed bubblewrap.

    Attributes:
        executable: its `bwrap`.
        version: for example `0.8.0`.
    """

    executable: Path
    version: str

    def prefix(self, view: View) -> tuple[str, ...]:
        """The command that runs the command after it, confined to a view."""
        argv = [str(self.executable), "--unshare-user", "--unshare-pid", "--unshare-net"]
        argv += ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"]
        argv += ["--uid", _NOBODY, "--gid", _NOBODY, "--hostname", "lean", "--cap-drop", "ALL"]
        if tuple(map(int, self.version.split(".")[:2])) >= _NO_NESTING:
            argv.append("--disable-userns")
        argv.append("--clearenv")
        for name, value in view.env.items():
            argv += ["--setenv", name, value]
        for path in sorted({str(path) for path in view.readable}):  # a folder before its parts
            argv += ["--ro-bind", path, path]
        for path in map(str, view.writable):
            argv += ["--bind", path, path]
        for device in view.devices:
            argv += ["--dev-bind", device, device]
        if view.proc:
            argv += ["--proc", "/proc", "--symlink", "/proc/self/fd", "/dev/fd"]
        return (*argv, "--remount-ro", "/", "--chdir", "/", "--")


def find_sandbox() -> Sandbox:
    """The installed bubblewrap.

    Raises:
        IsolationError: it is not installed, or not bubblewrap; says what to install.
    """
    found = shutil.which("bwrap")
    if found is None:
        raise IsolationError(f"bubblewrap is missing: {REMEDY}")
    said = _run([found, "--version"])
    version = re.fullmatch(r"bubblewrap (\d+\.\d+(?:\.\d+)?)\s*", said.stdout)
    if version is None:
        raise IsolationError(f"{found} does not say which bubblewrap it is: {REMEDY}")
    return Sandbox(Path(found), version[1])


def try_sandbox(sandbox: Sandbox, view: View, argv: Sequence[str]) -> None:
    """Run a command that ends by itself in the sandbox.

    Raises:
        IsolationError: it does not run there, for example because the kernel refuses user
            namespaces, as in many containers.
    """
    result = _run([*sandbox.prefix(view), *argv])
    if result.returncode != 0:
        said = " ".join(result.stderr.split()) or f"exit code {result.returncode}"
        raise IsolationError(f"bubblewrap {sandbox.version} does not work here: {said[:300]}")


def shared_libraries(executable: Path) -> tuple[Path, ...]:
    """The shared libraries that a trusted program needs, its loader included.

    Raises:
        IsolationError: they cannot be told.
    """
    result = _run(["ldd", str(executable)])
    found = re.findall(r"(?:^|=>)\s*(/\S+) \(0x", result.stdout, re.MULTILINE)
    if result.returncode != 0 or not found:
        said = " ".join(result.stderr.split()) or "it names none"
        raise IsolationError(f"the libraries of {executable} cannot be told by ldd: {said[:300]}")
    return tuple(Path(path) for path in dict.fromkeys(found))


def require_confined(pid: int, sandbox: Path) -> None:
    """The processes below `pid` are in namespaces of their own, and `pid` is the sandbox itself.

    Raises:
        IsolationError: one is not, or nothing runs.
    """
    try:
        if not Path(f"/proc/{pid}/exe").samefile(sandbox):
            raise IsolationError("what was started is not the sandbox")
        inside = tree(pid)[1:]
        if not inside:
            raise IsolationError("nothing runs in the sandbox")
        for name in _NAMESPACES:
            ours = Path(f"/proc/self/ns/{name}").readlink()
            for member in inside:
                if Path(f"/proc/{member}/ns/{name}").readlink() == ours:
                    raise IsolationError(f"process {member} shares our {name} namespace")
    except OSError as error:
        raise IsolationError(f"the sandbox cannot be looked at: {error}") from error


def _run(argv: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TRIAL_S,
            check=False,
            env={"PATH": os.defpath},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise IsolationError(f"{argv[0]} does not run: {error}") from error
