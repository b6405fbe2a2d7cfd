"""The commands that install the native toolchain, what they print, and what their errors mean.

Formats of elan 1.4 and 4, of Lake 5 and of Mathlib's cache program; each is only for people to
see how far it is, so a line that is not understood is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ragsolver_verifier.toolchain.native_project import PROGRAMS
from ragsolver_verifier.toolchain.progress import InstallProgress, Step

ELAN_MISSING: Final = (
    "elan, the installer of Lean toolchains, is not on PATH and not in ~/.elan/bin. Install it by "
    "`apt install elan`, `brew install elan-init`, or "
    "`curl https://elan.lean-lang.org/elan-init.sh -sSf | sh`, and run this again"
)
NEEDED_DISK: Final = 12 * 1024**3
"""Bytes: Lean, Mathlib's sources, its compiled modules and the archives that they came in."""

_HOUR: Final = 3600.0
_CACHE: Final = re.compile(r"(\d+) file\(s\) \[attempted (\d+)/(\d+)")
_BUILD: Final = re.compile(r"\[(\d+)/(\d+)\] (.+)")
_ABOUT_AN_ERROR: Final = re.compile(r"info: (caused by|backtrace)")
_HINTS: Final = (
    (
        r"resolve host|could not resolve|network is unreachable|connection (timed out|refused)"
        r"|failed to connect|temporary failure in name resolution",
        "there is no way to the network from here: elan, Lake and Mathlib's cache download from "
        "github.com, releases.lean-lang.org and Mathlib's cache servers. Behind a proxy, set "
        "https_proxy",
    ),
    (
        r"no space left on device|disk quota exceeded|os error 28",
        "the disk is full: the native toolchain needs about 12 GiB. Free some, or export "
        "RAGSOLVER_CACHE=FOLDER (the project) and ELAN_HOME=FOLDER (Lean) on another disk",
    ),
    (
        r"nonexistent lean version|binary package was not provided|unknown release",
        "this toolchain does not exist for this machine: compare lean_project/lean-toolchain with "
        "the releases of Lean",
    ),
    (
        r"revision not found|unknown revision|did not match any file\(s\) known to git",
        "Mathlib has no such revision: compare `rev` in lean_project/lakefile.toml with its tags",
    ),
    (
        r"files? (were|was) not found in the cache|download failed|leantar (failed|exited)",
        "Mathlib's cache has not everything for this revision, or the download was cut short: "
        "run this again; what came is kept",
    ),
    (
        r"(could not|failed to) (execute|spawn)[^\n]*['`]?git|git: (command )?not found",
        "git is missing: Lake clones Mathlib with it",
    ),
    (
        r"(could not|failed to) (execute|spawn)[^\n]*['`]?curl|curl: (command )?not found",
        "curl is missing: Mathlib's cache downloads with it",
    ),
    (r"permission denied|os error 13", "a file may not be written: see the path in the message"),
)


@dataclass(frozen=True)
class NativeStep:
    """One command of the installation.

    Attributes:
        step: what it is called in progress and errors.
        message: one line for people.
        argv: program and arguments.
        timeout_s: wall-clock limit in seconds.
    """

    step: Step
    message: str
    argv: tuple[str, ...]
    timeout_s: float

    def progress(self, line: str) -> InstallProgress | None:
        """What a line of its output says of how far it is; None when nothing."""
        cache, build = _CACHE.search(line), _BUILD.search(line)
        if self.step == "cache" and cache:
            done, total = int(cache[2]), int(cache[3])
            return InstallProgress(self.step, self.message, done, total, "files")
        if self.step == "build" and build:
            said = f"{self.message}: {build[3].strip()}"
            return InstallProgress(self.step, said, int(build[1]), int(build[2]), "steps")
        if line.startswith("info: ") and not _ABOUT_AN_ERROR.match(line):
            return InstallProgress(self.step, line.removeprefix("info: ").strip()[:120])
        return None


def toolchain_step(elan: Path, toolchain: str) -> NativeStep:
    """Fetch Lean itself."""
    argv = (str(elan), "toolchain", "install", toolchain)
    return NativeStep("toolchain", f"fetching {toolchain} with elan", argv, _HOUR)


def project_steps(lake: Path, *, resolved: bool) -> list[NativeStep]:
    """What Lake does in the project's folder, in order.

    Args:
        lake: elan's `lake`.
        resolved: whether the manifest is there: packages are then as it says.
    """
    run = str(lake)
    steps = [
        NativeStep("cache", "fetching compiled Mathlib", (run, "exe", "cache", "get"), 3 * _HOUR),
        NativeStep("build", "building checker and exporter", (run, "build", *PROGRAMS), _HOUR),
    ]
    if not resolved:
        # The pinned Lean stays: Lake would take Mathlib's own otherwise.
        argv = (run, "update", "--keep-toolchain")
        steps.insert(0, NativeStep("packages", "fetching Mathlib's sources", argv, _HOUR))
    return steps


def hint(output: str) -> str:
    """What the output of a failed command means, with what to do; empty when it is not known."""
    for pattern, meaning in _HINTS:
        if re.search(pattern, output, re.IGNORECASE):
            return meaning
    return ""


def telling(output: str, most: int = 12) -> str:
    """The lines of a failed command's output that tell most: its errors, else its last lines."""
    lines = [line.strip() for line in re.split(r"[\r\n]+", output) if line.strip()]
    errors = [line for line in lines if re.match(r"(error|info: caused by|uncaught)", line)]
    return "\n".join((errors or lines)[-most:])[:2000]
