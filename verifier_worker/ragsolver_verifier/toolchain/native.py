"""Find the built native toolchain: Lean and Mathlib by elan and Lake, with our programs.

`native_install.py` writes a stamp when everything is in place; nothing here runs a program or
reaches the network, so that a start costs nothing and elan cannot begin a download in it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.native_project import (
    LAKE_MANIFEST,
    PROGRAMS,
    pinned_version,
    project_folder,
    project_sources,
    sources_digest,
)

NATIVE_STAMP: Final = "ragsolver-native.json"
NATIVE_REMEDY: Final = "run `ragsolver lean install --native`"
_BIN: Final = Path(".lake", "build", "bin")


@dataclass(frozen=True)
class NativeToolchain:
    """A built native toolchain.

    Attributes:
        project: the Lake project's folder.
        lean_version: Lean's version, for example `4.28.0-rc1`.
        commit: Lean's commit, 40 hexadecimal digits.
        mathlib: Mathlib's commit.
        sysroot: Lean's own folder, with `bin` and `lib`.
        lean_path: folders of compiled modules, as `lake env` gives them.
        library_path: folders of shared libraries, likewise.
        digest: SHA-256 over version, commit, package revisions and our sources.
    """

    project: Path
    lean_version: str
    commit: str
    mathlib: str
    sysroot: Path
    lean_path: tuple[str, ...]
    library_path: tuple[str, ...]
    digest: str

    @property
    def checker(self) -> Path:
        """The checker program."""
        return self.project / _BIN / "checker"

    @property
    def exporter(self) -> Path:
        """The exporter program."""
        return self.project / _BIN / "exporter"

    @property
    def readable(self) -> tuple[Path, ...]:
        """What a checker process has to read; a sandbox shows it nothing else."""
        return (self.sysroot, self.project)

    def environment(self) -> dict[str, str]:
        """The whole environment of a process of this toolchain: nothing of ours."""
        return {
            "PATH": f"{self.sysroot / 'bin'}{os.pathsep}{os.defpath}",
            "LEAN_SYSROOT": str(self.sysroot),
            "LEAN_PATH": os.pathsep.join(self.lean_path),
            "LD_LIBRARY_PATH": os.pathsep.join(self.library_path),
        }

    def program(self, name: str) -> Path | None:
        """A program of Lean's own `bin` folder, such as `leanchecker`; None when it has none."""
        path = self.sysroot / "bin" / name
        return path if path.is_file() else None


def elan_home() -> Path:
    """Where elan keeps its toolchains: `ELAN_HOME`, else `~/.elan`."""
    named = os.environ.get("ELAN_HOME")
    return Path(named).expanduser() if named else Path.home() / ".elan"


def find_program(name: str) -> Path | None:
    """`elan` or `lake`: in elan's own folder, else on `PATH`; None where there is none."""
    own = elan_home() / "bin" / name
    if own.is_file():
        return own
    found = shutil.which(name)
    return Path(found) if found else None


def toolchain_folder(toolchain: str) -> Path:
    """Where elan keeps a toolchain, named as in `lean-toolchain`."""
    return elan_home() / "toolchains" / toolchain.replace("/", "--").replace(":", "---")


def native_digest(version: str, commit: str, manifest: bytes, sources: str) -> str:
    """What verdicts and indexes are pinned to."""
    packages = hashlib.sha256(manifest).hexdigest()
    return hashlib.sha256(f"native {version} {commit} {packages} {sources}".encode()).hexdigest()


def locate_native(cache: Path | None = None) -> NativeToolchain | None:
    """The built native toolchain; None when it is absent, not whole or out of date."""
    found = _look(cache)
    return found if isinstance(found, NativeToolchain) else None


def why_not_native(cache: Path | None = None) -> str:
    """Why `locate_native` finds nothing, in a few words; empty when it does."""
    found = _look(cache)
    return found if isinstance(found, str) else ""


def require_native(cache: Path | None = None) -> NativeToolchain:
    """The built native toolchain.

    Raises:
        ToolchainMissing: it is not there; says why and what to run.
    """
    found = _look(cache)
    if isinstance(found, str):
        raise ToolchainMissing(f"the native Lean toolchain is missing ({found}): {NATIVE_REMEDY}")
    return found


def _look(cache: Path | None) -> NativeToolchain | str:
    folder = project_folder(cache)
    sources = project_sources()
    try:
        stamp = json.loads((folder / NATIVE_STAMP).read_text("utf-8"))
        manifest = (folder / LAKE_MANIFEST).read_bytes()
        found = _read(folder, stamp, manifest)
        sizes = {name: (folder / _BIN / name).stat().st_size for name in PROGRAMS}
    except (OSError, ValueError, KeyError, TypeError):
        return f"nothing whole in {folder}"
    if stamp["sources"] != sources_digest(sources):
        return "it was built from other sources of the checker"
    if found.lean_version != pinned_version(sources):
        return f"it is Lean {found.lean_version}, not {pinned_version(sources)}"
    if sizes != stamp["sizes"]:
        return "its programs were changed after they were built"
    if found.program("lean") is None:
        return f"its Lean is no longer in {found.sysroot}"
    return found


def _read(folder: Path, stamp: dict[str, Any], manifest: bytes) -> NativeToolchain:
    version, commit = str(stamp["lean_version"]), str(stamp["commit"])
    return NativeToolchain(
        project=folder.resolve(),
        lean_version=version,
        commit=commit,
        mathlib=mathlib_revision(manifest),
        sysroot=Path(stamp["sysroot"]),
        lean_path=tuple(stamp["lean_path"]),
        library_path=tuple(stamp["library_path"]),
        digest=native_digest(version, commit, manifest, stamp["sources"]),
    )


def mathlib_revision(manifest: bytes) -> str:
    """Mathlib's commit in a Lake manifest.

    Raises:
        ValueError: it is not a manifest.
        KeyError: it has no Mathlib.
    """
    packages = {p["name"]: p["rev"] for p in json.loads(manifest)["packages"]}
    return str(packages["mathlib"])
