"""The native half's Lake project: its sources, its pins, and the folder that it is built in.

The sources ship with the product (`lean_project/`); Lake writes gigabytes beside them, so they are
copied into the cache and built there.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Final

from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.toolchain.locate import lean_cache

TOOLCHAIN_FILE: Final = "lean-toolchain"
LAKEFILE: Final = "lakefile.toml"
LAKE_MANIFEST: Final = "lake-manifest.json"
PROGRAMS: Final = ("checker", "exporter")
_FILES: Final = (TOOLCHAIN_FILE, LAKEFILE, "Checker.lean", "Export.lean")


def project_sources() -> dict[str, bytes]:
    """What Lake builds, by path within the project.

    Raises:
        FileNotFoundError: the installation is not whole.
    """
    root = resource_dir("lean_project")
    parts = sorted(path.relative_to(root).as_posix() for path in root.glob("Checker/*.lean"))
    return {name: (root / name).read_bytes() for name in (*_FILES, *parts)}


def sources_digest(sources: dict[str, bytes]) -> str:
    """SHA-256 over names and contents, in hexadecimal."""
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(f"{name} {len(sources[name])} ".encode() + sources[name])
    return digest.hexdigest()


def pinned_toolchain(sources: dict[str, bytes]) -> str:
    """The pinned toolchain as elan names it, for example `leanprover/lean4:v4.28.0-rc1`."""
    return sources[TOOLCHAIN_FILE].decode().strip()


def pinned_version(sources: dict[str, bytes]) -> str:
    """The pinned Lean version, for example `4.28.0-rc1`."""
    return pinned_toolchain(sources).rpartition(":")[2].removeprefix("v")


def pinned_mathlib(sources: dict[str, bytes]) -> str:
    """The pinned revision of Mathlib.

    Raises:
        ValueError: the Lake file names none.
    """
    table = tomllib.loads(sources[LAKEFILE].decode())
    for package in table.get("require", []):
        if package.get("name") == "mathlib" and package.get("rev"):
            return str(package["rev"])
    raise ValueError(f"{LAKEFILE} pins no revision of mathlib")


def project_folder(cache: Path | None = None) -> Path:
    """Where the pinned project is built."""
    return lean_cache(cache) / f"native-{pinned_version(project_sources())}"


def write_project(folder: Path, sources: dict[str, bytes]) -> None:
    """Bring the sources into the folder; files that are the same stay untouched.

    Raises:
        OSError: the folder cannot be written.
    """
    for name, content in sources.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for stale in folder.glob("Checker/*.lean"):
        if stale.relative_to(folder).as_posix() not in sources:
            stale.unlink()
