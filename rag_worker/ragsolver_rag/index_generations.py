"""Tables of an index over time.

They are written beside those that are read, named by the manifest when they are whole, and removed
when nobody reads them any more.
"""

import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ragsolver_rag.index_folder import (
    CHANGED,
    MANIFEST,
    TABLES,
    IndexManifest,
    all_indexes,
    read_index_manifest,
)
from ragsolver_rag.index_lease import remove_unheld

CHUNKS = "chunks"
"""Folder of what an unfinished build has embedded."""
_LOCK, _WRITER = ".lock", ".writer"
_ASIDE = ".new-"
"""Folders of unfinished builds, as they were called once."""
_LOOK_EVERY_S = 0.2


class IndexWriteError(Exception):
    """The tables could not be written; says where, and that those of before serve on."""


@contextmanager
def only_writer(home: Path, waits: Callable[[str], None]) -> Iterator[None]:
    """Be the only one who writes indexes of a corpus; wait for whoever does.

    The lock ends with its process, however that ends.

    Args:
        home: folder of the corpus's indexes.
        waits: called once with who writes, where somebody else does.
    """
    lock, writer = FileLock(home / _LOCK), home / _WRITER
    try:
        lock.acquire(timeout=0)
    except Timeout:
        waits(f"waiting for {_who(writer)}, which writes an index in {home}")
        lock.acquire(poll_interval=_LOOK_EVERY_S)
    try:
        said = {"pid": os.getpid(), "since": time.strftime("%H:%M:%S")}
        writer.write_text(json.dumps(said), "utf-8")
        yield
    finally:
        writer.unlink(missing_ok=True)
        lock.release()


def _who(writer: Path) -> str:
    try:
        said = json.loads(writer.read_text("utf-8"))
        return f"process {said['pid']} (since {said['since']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def new_tables(target: Path) -> Path:
    """Folder for the tables of a new build, not made yet."""
    target.mkdir(parents=True, exist_ok=True)
    return target / f"{TABLES}-{secrets.token_hex(4)}"


@contextmanager
def removed_unless_finished(tables: Path) -> Iterator[None]:
    """Remove what a failed build wrote.

    Raises:
        IndexWriteError: for what the file system or LanceDB refused.
    """
    try:
        yield
    except BaseException as error:
        shutil.rmtree(tables, ignore_errors=True)
        if isinstance(error, (OSError, RuntimeError)):
            raise IndexWriteError(
                f"the tables could not be written to {tables.parent} ({error}): make room on the "
                "disk and run the command again; what was embedded is kept, and an index that "
                "was there before is as it was"
            ) from error
        raise


def publish(target: Path, manifest: IndexManifest) -> IndexManifest:
    """Replace the manifest, so that whoever opens the index from now on reads these tables."""
    aside = target / f"{MANIFEST}.new"
    with aside.open("w", encoding="utf-8") as file:
        file.write(manifest.model_dump_json(indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(target / MANIFEST)
    (target.parent / CHANGED).write_text(f"{manifest.version} {manifest.tables}\n", "utf-8")
    return manifest


def sweep(home: Path, corpus_sha256: str) -> list[Path]:
    """Remove tables that no manifest names, and indexes of texts that the corpus no longer has.

    Kept is what somebody reads, and the last index with vectors of an encoder: the next build
    takes them over. Only the writer may call it.

    Args:
        home: folder of the corpus's indexes.
        corpus_sha256: of the corpus as it is.

    Returns:
        The folders that are gone.
    """
    gone = []
    found = all_indexes(home)
    current = {m.encoder for _, m in found if m.corpus_sha256 == corpus_sha256}
    donors = {m.encoder: f for f, m in sorted(found, key=lambda pair: pair[1].built_at)}
    for folder, manifest in found:
        superseded = (
            manifest.corpus_sha256 != corpus_sha256
            and (manifest.encoder in current or donors[manifest.encoder] != folder)
            and bool(current)
        )
        if superseded and remove_unheld(folder / manifest.tables):
            shutil.rmtree(folder)
            gone.append(folder)
    for folder in (path for path in home.iterdir() if path.is_dir()):
        named = read_index_manifest(folder)
        if folder.name.startswith(_ASIDE):
            shutil.rmtree(folder, ignore_errors=True)
            gone.append(folder)
            continue
        keep = named.tables if named is not None else ""
        older = [tables for tables in folder.glob(f"{TABLES}*") if tables.name != keep]
        gone.extend(tables for tables in older if remove_unheld(tables))
    return gone
