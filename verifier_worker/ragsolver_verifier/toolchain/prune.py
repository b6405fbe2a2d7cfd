"""Remove what the cache keeps of Lean programs and installations that nobody uses any more.

Every change of a program leaves a compiled form and a layout behind, every change of the patches
an installation. Whoever uses one marks it by its time (`mark_used`); an installation of the
toolchain removes those not used for a month, but of each kind keeps the newest few, whatever
their age: a process that runs for months starts others from what it found at its own start.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

UNUSED_S: Final = 30 * 86_400.0
"""Seconds after which what was not used goes."""
_UNFINISHED_S: Final = 86_400.0
_ASIDE: Final = ".old-"
_UNFINISHED: Final = (".new-", _ASIDE)


@dataclass(frozen=True)
class _Kind:
    """One kind of things in the cache: where they are, their names, how many always stay."""

    folder: str
    names: re.Pattern[str]
    stay: int
    locked: bool = False


_KINDS: Final = (
    _Kind("programs", re.compile(r"[0-9a-f]{32}"), 4, locked=True),
    _Kind("repl", re.compile(r"[0-9a-f]{16}"), 8),
    _Kind(".", re.compile(r"\d+(\.\d+)*-\d+"), 1),
)


@dataclass(frozen=True)
class _Entry:
    """Something of the cache that goes or stays as a whole."""

    path: Path
    used: float


def mark_used(path: Path) -> None:
    """Say that a file or folder of the cache is in use now; nothing where it cannot be written."""
    with suppress(OSError):
        os.utime(path)


def prune(lean: Path, current: str, clock: Callable[[], float] = time.time) -> list[Path]:
    """Remove what was not used for a month; other processes may work in the cache meanwhile.

    Args:
        lean: the folder of everything that this package keeps in the cache.
        current: name of the installation that stays.
        clock: seconds since the epoch.

    Returns:
        What was removed.
    """
    now = clock()
    removed: list[Path] = []
    for kind in _KINDS:
        folder = lean / kind.folder
        found = [entry for entry in _entries(folder, kind) if entry.path.name != current]
        found.sort(key=lambda entry: entry.used, reverse=True)
        old = [entry for entry in found[kind.stay :] if now - entry.used > UNUSED_S]
        removed += [entry.path for entry in old if _remove(entry, locked=kind.locked)]
        _remove_unfinished(folder, now)
    return removed


def _entries(folder: Path, kind: _Kind) -> list[_Entry]:
    """What there is of one kind; of programs also the files whose folder is gone."""
    with suppress(FileNotFoundError):
        stems = {
            path.name.removesuffix(".lean").removesuffix(".lock") for path in folder.iterdir()
        }
        paths = [folder / name for name in stems if kind.names.fullmatch(name)]
        return [_Entry(path, _last_use(path)) for path in paths]
    return []


def _parts(path: Path) -> tuple[Path, Path, Path]:
    return path, path.with_name(path.name + ".lean"), path.with_name(path.name + ".lock")


def _last_use(path: Path) -> float:
    """When the entry was last marked or written."""
    folder, source, lock = _parts(path)
    times = [_time(part) for part in (folder / "stamp.json", folder, source)]
    return max(times) or _time(lock)


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _remove(entry: _Entry, *, locked: bool) -> bool:
    """Remove one entry, unless somebody is making it or has just marked it."""
    if not locked:
        return _take(entry)
    lock = FileLock(_parts(entry.path)[2])
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return False
    try:
        return _take(entry)
    finally:
        lock.release()


def _take(entry: _Entry) -> bool:
    """Rename, then delete: nobody ever finds half of it."""
    if max(_time(entry.path), _time(entry.path / "stamp.json")) > entry.used:
        return False
    for part in _parts(entry.path):
        aside = part.with_name(_ASIDE + part.name)
        with suppress(OSError):
            part.rename(aside)
            _delete(aside)
    return True


def _remove_unfinished(folder: Path, now: float) -> None:
    """Remove what a killed process left half made or half deleted."""
    with suppress(OSError):
        for path in list(folder.iterdir()):
            if path.name.startswith(_UNFINISHED) and now - _time(path) > _UNFINISHED_S:
                _delete(path)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
