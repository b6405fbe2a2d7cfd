"""Install the native toolchain: elan fetches Lean, Lake fetches Mathlib and builds our programs.

Every step can be interrupted and the whole run again: elan, Lake and Mathlib's cache keep what
they have. The stamp that `native.py` looks for is written last.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ragsolver_verifier.toolchain.errors import ToolchainError, ToolchainMissing
from ragsolver_verifier.toolchain.native import (
    NATIVE_STAMP,
    NativeToolchain,
    find_program,
    locate_native,
    require_native,
    toolchain_folder,
)
from ragsolver_verifier.toolchain.native_commands import (
    ELAN_MISSING,
    NEEDED_DISK,
    NativeStep,
    hint,
    project_steps,
    telling,
    toolchain_step,
)
from ragsolver_verifier.toolchain.native_project import (
    LAKE_MANIFEST,
    PROGRAMS,
    pinned_toolchain,
    pinned_version,
    project_folder,
    project_sources,
    sources_digest,
    write_project,
)
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.toolchain.progress import InstallProgress, Report, silent
from ragsolver_verifier.toolchain.streaming import run_streaming

_VERSION: Final = re.compile(r"Lean \(version ([^,\s]+)(?:, [^,]+)*?, commit ([0-9a-f]{7,40})")
_PROBE_TIMEOUT_S: Final = 120.0


@dataclass(frozen=True)
class _Build:
    """One installation under way."""

    folder: Path
    sources: dict[str, bytes]
    report: Report


def install_native(
    report: Report = silent, *, force: bool = False, cache: Path | None = None
) -> NativeToolchain:
    """Make the native toolchain ready, or find it ready.

    Args:
        report: told of every step.
        force: go through every step even if all is there.
        cache: the product's cache; the usual one when None.

    Raises:
        ToolchainMissing: elan is not installed; says how to install it.
        ToolchainError: a step failed; says which, what it printed and what to do.
    """
    found = locate_native(cache)
    if found is not None and not force:
        return found
    elan, lake = find_program("elan"), find_program("lake")
    if elan is None or lake is None:
        raise ToolchainMissing(ELAN_MISSING)
    folder = project_folder(cache)
    build = _Build(folder, project_sources(), report)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock"), timeout=0):
            _install(build, elan, lake)
    except Timeout:
        raise ToolchainError(
            f"another installation is under way in {folder}; wait for it, then run this again"
        ) from None
    except OSError as error:
        raise ToolchainError(f"{folder}: {error}. {hint(str(error))}".rstrip(". ")) from error
    return require_native(cache)


def _install(build: _Build, elan: Path, lake: Path) -> None:
    toolchain = pinned_toolchain(build.sources)
    (build.folder / NATIVE_STAMP).unlink(missing_ok=True)
    write_project(build.folder, build.sources)
    home = toolchain_folder(toolchain)
    if not (home / "bin" / "lean").is_file():
        _require_disk(build.folder)
        _run(build, toolchain_step(elan, toolchain))
    resolved = (build.folder / LAKE_MANIFEST).is_file()
    for step in project_steps(lake, resolved=resolved):
        _run(build, step)
    build.report(InstallProgress("probe", "asking Lean for its version"))
    _write_stamp(build, lake)
    build.report(InstallProgress("done", "everything is in place"))


def _require_disk(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < NEEDED_DISK:
        raise ToolchainError(
            f"{folder} has {free / 1024**3:.1f} GiB free, and the native toolchain needs about "
            f"{NEEDED_DISK / 1024**3:.0f}. {hint('no space left on device')}"
        )


def step_environment() -> dict[str, str]:
    """The environment of the installing commands: ours, without a cache download in `update`."""
    return {**os.environ, "MATHLIB_NO_CACHE_ON_UPDATE": "1"}


def _run(build: _Build, step: NativeStep) -> None:
    """Run one step.

    Raises:
        ToolchainError: it failed or took too long.
    """

    def _heard(line: str) -> None:
        progress = step.progress(line)
        if progress is not None:
            build.report(progress)

    build.report(InstallProgress(step.step, step.message))
    command = " ".join([Path(step.argv[0]).name, *step.argv[1:]])
    try:
        ended = run_streaming(
            step.argv,
            timeout_s=step.timeout_s,
            cwd=build.folder,
            env=step_environment(),
            heard=_heard,
        )
    except subprocess.TimeoutExpired:
        raise ToolchainError(
            f"`{command}` in {build.folder} did not end within {step.timeout_s / 60:.0f} minutes; "
            "run this again, it goes on from what is there"
        ) from None
    if ended.code != 0:
        raise ToolchainError(_failure(command, build.folder, ended.code, ended.output))


def _failure(command: str, folder: Path, code: int, output: str) -> str:
    meaning = hint(output)
    said = telling(output) or "it printed nothing"
    advice = f"\n{meaning[0].upper()}{meaning[1:]}." if meaning else ""
    return f"`{command}` in {folder} failed (exit code {code}):\n{said}{advice}"


def _write_stamp(build: _Build, lake: Path) -> None:
    """Ask the finished project what it is, and write that down.

    Raises:
        ToolchainError: it is not what the pins say.
    """
    version, commit = _lean_version(build, lake)
    wanted = pinned_version(build.sources)
    if version != wanted:
        raise ToolchainError(
            f"Lean in {build.folder} says that it is {version}, and {wanted} is pinned. "
            "Is ELAN_TOOLCHAIN set, or does `elan override list` name this folder?"
        )
    variables = lake_variables(_ask(build, lake, "env"))
    written = {
        "lean_version": version,
        "commit": commit,
        "sysroot": variables["LEAN_SYSROOT"],
        "lean_path": [p for p in variables["LEAN_PATH"].split(os.pathsep) if p],
        "library_path": [p for p in variables.get("LD_LIBRARY_PATH", "").split(os.pathsep) if p],
        "sources": sources_digest(build.sources),
        "sizes": {
            name: (build.folder / ".lake" / "build" / "bin" / name).stat().st_size
            for name in PROGRAMS
        },
    }
    aside = build.folder / f"{NATIVE_STAMP}.new"
    aside.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    aside.replace(build.folder / NATIVE_STAMP)


def _lean_version(build: _Build, lake: Path) -> tuple[str, str]:
    said = _ask(build, lake, "env", "lean", "--version")
    match = _VERSION.search(said)
    if match is None:
        raise ToolchainError(f"`lake env lean --version` said {said.strip()[:200]!r}")
    return match[1], match[2]


def lake_variables(said: str) -> dict[str, str]:
    """The variables that `lake env` without a command prints, one `NAME=value` a line.

    Raises:
        ToolchainError: those that name the library are not among them.
    """
    found = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    lacking = [name for name in ("LEAN_SYSROOT", "LEAN_PATH") if not found.get(name)]
    if lacking:
        raise ToolchainError(f"`lake env` names no {' and no '.join(lacking)}")
    return found


def _ask(build: _Build, lake: Path, *args: str) -> str:
    """What Lake prints.

    Raises:
        ToolchainError: it failed or took too long.
    """
    clean = {k: v for k, v in os.environ.items() if k not in {"LEAN_PATH", "LD_LIBRARY_PATH"}}
    try:
        result = run_group(
            [str(lake), *args], timeout_s=_PROBE_TIMEOUT_S, cwd=build.folder, env=clean
        )
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"`lake {' '.join(args)}` gave no answer") from error
    if result.returncode != 0:
        words = result.stderr.decode(errors="replace")
        raise ToolchainError(
            _failure(f"lake {' '.join(args)}", build.folder, result.returncode, words)
        )
    return result.stdout.decode(errors="replace")
