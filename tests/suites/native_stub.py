"""A folder that looks like a built native toolchain, for tests that run no Lean."""

import json
from pathlib import Path

from ragsolver_verifier.toolchain.native import NATIVE_STAMP
from ragsolver_verifier.toolchain.native_project import (
    PROGRAMS,
    project_folder,
    project_sources,
    sources_digest,
    write_project,
)

COMMIT = "c" * 40
MATHLIB = "m" * 40
MANIFEST = {"version": "1.1.0", "packages": [{"name": "mathlib", "rev": MATHLIB}]}


def executable(path: Path, script: str) -> Path:
    """A shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def built(cache: Path, **changes: object) -> Path:
    """Write the folder; returns it."""
    sources = project_sources()
    folder, sysroot = project_folder(cache), cache / "sysroot"
    write_project(folder, sources)
    executable(sysroot / "bin" / "lean", "exit 1")
    sizes = {}
    for name in PROGRAMS:
        path = executable(folder / ".lake" / "build" / "bin" / name, "exit 1")
        sizes[name] = path.stat().st_size
    stamp = {
        "lean_version": "4.28.0-rc1",
        "commit": COMMIT,
        "sysroot": str(sysroot),
        "lean_path": [str(folder / ".lake" / "build" / "lib" / "lean")],
        "library_path": [],
        "sources": sources_digest(sources),
        "sizes": sizes,
        **changes,
    }
    (folder / "lake-manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (folder / NATIVE_STAMP).write_text(json.dumps(stamp), encoding="utf-8")
    return folder
