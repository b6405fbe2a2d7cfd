"""A source tree made into a corpus: files read by several processes, unchanged ones not again."""

import gzip
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from filelock import FileLock

from ragsolver_rag.corpus import CorpusManifest, corpus_dir, write_corpus
from ragsolver_rag.source.assemble import Assembled, Record, assemble
from ragsolver_rag.source.reader import read_file
from ragsolver_rag.source.translate import Dictionary, read_dictionaries
from ragsolver_rag.source.tree import SourceTree

READER_VERSION = 2
"""Raise it whenever the same file gives other declarations; then every file is read again."""

_READ_BEFORE = "files.jsonl.gz"
_CHUNK = 40
_NICENESS = 5

Progress = Callable[[str, int, int], None]
"""Called with the stage (`read`, `assemble`), files done, and of how many."""


@dataclass(frozen=True)
class Ingested:
    """What an ingest did."""

    manifest: CorpusManifest
    files: int
    files_read: int
    """Those that were new or changed."""
    duplicates: int
    private: int
    by_origin: dict[str, int]
    """Declarations by what made them; empty: a person."""
    unreadable: tuple[str, ...]
    """Files that are no UTF-8 text."""
    seconds: float


class _Process:
    """What a reading process keeps between files."""

    dictionaries: dict[str, Dictionary]


def ingest_source(
    tree: SourceTree,
    corpus: str,
    *,
    processes: int = 2,
    progress: Progress = lambda *_: None,
) -> Ingested:
    """Make the corpus of a source tree.

    Args:
        tree: what to read.
        corpus: name of the corpus, and folder in the cache.
        processes: how many read at a time.
        progress: see `Progress`.

    Raises:
        CorpusError: the tree declares nothing.
    """
    began = time.monotonic()
    folder = corpus_dir(corpus)
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        dictionaries = read_dictionaries(tree.roots)
        salt = _salt(dictionaries)
        before = _read_before(folder / _READ_BEFORE, salt)
        texts, unreadable = _texts(tree, before)
        fresh = [item for item in texts if item[2] is not None]
        progress("read", len(texts) - len(fresh), len(texts))
        records = dict(before)
        done = len(texts) - len(fresh)
        for key, record in _read(fresh, dictionaries, processes):
            records[key] = record
            done += 1
            progress("read", done, len(texts))
        progress("assemble", 0, len(texts))
        kept = {key: records[key] for key, _, _ in texts}
        if fresh or len(kept) != len(before):
            _remember(folder / _READ_BEFORE, salt, kept)
        found = assemble(json.loads(kept[key]) for key, _, _ in texts)
        manifest = write_corpus(folder, found.declarations, _manifest(tree, corpus))
        progress("assemble", len(texts), len(texts))
    return _ingested(manifest, found, (len(texts), len(fresh)), unreadable, began)


def _ingested(
    manifest: CorpusManifest,
    found: Assembled,
    files: tuple[int, int],
    unreadable: Sequence[str],
    began: float,
) -> Ingested:
    return Ingested(
        manifest=manifest,
        files=files[0],
        files_read=files[1],
        duplicates=found.duplicates,
        private=found.private,
        by_origin=found.by_origin,
        unreadable=tuple(unreadable),
        seconds=round(time.monotonic() - began, 1),
    )


def _manifest(tree: SourceTree, corpus: str) -> dict[str, Any]:
    return {
        "corpus": corpus,
        "lean_version": tree.lean_version,
        "lean_commit": "",
        "toolchain_digest": "",
        "title": tree.title,
        "license": tree.license,
        "parser": "lean source text",
        "parser_version": str(READER_VERSION),
    }


Item = tuple[str, str, str | None]
"""Key (module and digest of the text), module, and the text where it must be read."""


def _texts(tree: SourceTree, before: dict[str, str]) -> tuple[list[Item], list[str]]:
    items: list[Item] = []
    unreadable = []
    for file in tree.files:
        try:
            raw = file.read_bytes()
            text = raw.decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            unreadable.append(f"{file}: {error}")
            continue
        module = tree.module(file)
        key = f"{module} {sha256(raw).hexdigest()}"
        items.append((key, module, None if key in before else text))
    return items, unreadable


def _read(
    items: Sequence[Item], dictionaries: dict[str, Dictionary], processes: int
) -> Iterator[tuple[str, str]]:
    if processes < 2 or len(items) <= _CHUNK:
        _start(dictionaries)
        yield from map(_job, items)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _start, (dictionaries, _NICENESS)) as pool:
        yield from pool.imap_unordered(_job, items, chunksize=_CHUNK)


def _start(dictionaries: dict[str, Dictionary], niceness: int = 0) -> None:
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    _Process.dictionaries = dictionaries


def _job(item: Item) -> tuple[str, str]:
    key, module, text = item
    found = read_file(text or "", module, _Process.dictionaries)
    record: Record = {
        "title": found.title,
        "bullets": found.bullets,
        "mentions": found.mentions,
        "left_out": found.left_out,
        "declarations": [declaration.as_json() for declaration in found.declarations],
    }
    return key, json.dumps(record, ensure_ascii=False)


def _salt(dictionaries: dict[str, Dictionary]) -> str:
    said = json.dumps([asdict(d) for d in dictionaries.values()], sort_keys=True)
    return f"{READER_VERSION} {sha256(said.encode()).hexdigest()}"


def _read_before(path: Path, salt: str) -> dict[str, str]:
    """Records of files by key; none where another reader made them or the file is broken."""
    found: dict[str, str] = {}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            if next(lines, "").rstrip("\n") != salt:
                return {}
            for line in lines:
                key, _, record = line.rstrip("\n").partition("\t")
                found[key] = record
    except (OSError, EOFError, UnicodeDecodeError):
        return {}
    return found


def _remember(path: Path, salt: str, records: dict[str, str]) -> None:
    aside = path.with_suffix(".new")
    with gzip.open(aside, "wt", encoding="utf-8", compresslevel=1) as lines:
        lines.write(f"{salt}\n")
        for key, record in records.items():
            lines.write(f"{key}\t{record}\n")
    aside.replace(path)
