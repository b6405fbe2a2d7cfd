"""The files of a finished index: listed when it is written, compared when it is opened.

An index is written once and read only, so that every difference is damage.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

SMALL = 64 << 10
"""Bytes up to which a file's digest is compared at every opening."""
HELD = ".held"
"""Name of the file that readers lock; see `index_lease`."""


class StoredFile(BaseModel):
    """One file of an index."""

    model_config = ConfigDict(frozen=True)

    path: str
    """Below the folder of the tables, with `/`."""
    size: int
    sha256: str


def stored_files(folder: Path) -> tuple[StoredFile, ...]:
    """Every file below a folder, by path."""
    return tuple(
        StoredFile(path=path, size=(folder / path).stat().st_size, sha256=_digest(folder / path))
        for path in sorted(_paths(folder))
    )


def damage(folder: Path, files: Sequence[StoredFile], *, whole: bool = False) -> str:
    """The first way in which a folder differs from its list; empty where it does not.

    Args:
        folder: of the tables.
        files: what was written; nothing is compared where nothing was listed.
        whole: compare the digests of large files, too: a second for 600 MB.
    """
    if not files:
        return ""
    present = set(_paths(folder))
    for file in files:
        if file.path not in present:
            return f"{file.path} is missing"
        size = (folder / file.path).stat().st_size
        if size != file.size:
            return f"{file.path} has {size} bytes instead of {file.size}"
        if (whole or size <= SMALL) and _digest(folder / file.path) != file.sha256:
            return f"{file.path} has other content than was written"
    unknown = sorted(present - {file.path for file in files})
    return f"{unknown[0]} does not belong there" if unknown else ""


def _paths(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.is_file() and path.name != HELD:
            yield path.relative_to(folder).as_posix()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
