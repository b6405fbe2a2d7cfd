"""The Lean files that a command line names: files, folders, standard input."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ragsolver_verifier.finding import Finding, Result
from ragsolver_verifier.header import plain_text

STDIN = "-"
_SUFFIX = ".lean"


@dataclass(frozen=True)
class Source:
    """One file.

    Attributes:
        name: as asked for.
        text: as Lean takes it from a file: see `plain_text`.
    """

    name: str
    text: str


def sources(names: Iterable[str], stdin: BinaryIO) -> Iterator[Source | Finding]:
    """Every file that is meant, in order, each once; or what is wrong with it.

    Args:
        names: files, folders (searched for `*.lean`, but for hidden ones such as `.lake`), or `-`
            for standard input.
        stdin: standard input.
    """
    seen: set[Path] = set()
    for name in names:
        if name == STDIN:
            yield _decoded(STDIN, stdin.read())
            continue
        path = Path(name)
        if path.is_dir():
            files = list(_below(path))
            if not files:
                yield _unread(name, f"the folder holds no {_SUFFIX} file")
        else:
            files = [path]
        for file in files:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield _read(file)


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(_SUFFIX) and not name.startswith("."):
                yield Path(root) / name


def _read(file: Path) -> Source | Finding:
    try:
        return _decoded(str(file), file.read_bytes())
    except FileNotFoundError:
        return _unread(str(file), "there is no such file")
    except OSError as error:
        return _unread(str(file), f"it cannot be read: {error.strerror or error}")


def _decoded(name: str, raw: bytes) -> Source | Finding:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return _unread(name, f"it is not UTF-8 text, first in line {line}")
    return Source(name, plain_text(text))


def _unread(name: str, detail: str) -> Finding:
    return Finding(file=name, result=Result.UNREAD, detail=detail)
