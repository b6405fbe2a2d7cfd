"""Building the index of a corpus: once, in a folder aside, moved into place when it is whole.

One builder at a time; a second one waits and then finds the work done. An interrupted build goes
on where it stopped, because embedded chunks are kept.
"""

import json
import math
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock

from ragsolver_rag.corpus import (
    CorpusManifest,
    Declaration,
    make_corpus,
    read_declarations,
    read_manifest,
    select,
)
from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.embed_corpus import embed_corpus
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow
from ragsolver_rag.index_folder import (
    MANIFEST,
    TABLES,
    IndexManifest,
    index_dir,
    index_version,
    indexes_dir,
    read_index_manifest,
)
from ragsolver_rag.index_lancedb import write_index
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tokenize import TEXT_VERSION
from ragsolver_rag.verbalize import texts
from ragsolver_runtime.paths import agreement_path

AGREEMENT_NAMES = 200
"""Names that a verifier can look up to see that index and toolchain agree."""

_UNKNOWN = 0.6
"""Popularity of a namespace that is no declaration."""

Progress = Callable[[str, int, int], None]
"""Called with the stage (`corpus`, `texts`, `embed`, `tables`), how much is done, and of how much
(0: not known)."""


def build_index(
    settings: RetrieverSettings,
    *,
    force: bool = False,
    progress: Progress = lambda *_: None,
) -> tuple[IndexManifest, bool]:
    """The index of the settings, built where it is missing.

    Args:
        settings: corpus, encoder and what to leave out.
        force: build again although it is there; embedded chunks are made anew, too.
        progress: see `Progress`.

    Returns:
        What the index is, and whether it was built by this call.

    Raises:
        CorpusError: the corpus cannot be made or read.
        ModelError: the encoder is not on this machine.
    """
    began = time.monotonic()
    progress("corpus", 0, 0)
    source = make_corpus(settings.corpus, on_count=lambda done: progress("corpus", done, 0))
    corpus = read_manifest(source)
    home = indexes_dir(settings.corpus)
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / ".lock"):
        target = index_dir(corpus, settings)
        found = read_index_manifest(target)
        if found is not None and not force:
            if not _agrees(settings.corpus, found):
                write_agreement(settings.corpus, corpus, found.version, _names(target))
            return found, False
        aside = home / f".new-{target.name}"
        if force:
            shutil.rmtree(aside, ignore_errors=True)
        built = _build(settings, source, aside, progress, began)
        if target.exists():
            shutil.rmtree(target)
        aside.rename(target)
        return built, True


def _build(
    settings: RetrieverSettings, source: Path, aside: Path, progress: Progress, began: float
) -> IndexManifest:
    corpus = read_manifest(source)
    version = index_version(corpus, settings)
    kept = select(read_declarations(source), settings.exclusions)
    rows = declaration_rows(kept, corpus, progress)
    encoder = EncoderConfig.of(settings)
    vectors = embed_corpus(
        [row.embedding_text for row in rows],
        aside / "chunks",
        encoder,
        processes=settings.embed_processes,
        on_done=lambda done: progress("embed", done, len(rows)),
    )
    progress("tables", 0, len(rows))
    shutil.rmtree(aside / TABLES, ignore_errors=True)
    constants = {
        "embedding_model": encoder.pin,
        "mathlib_tag": corpus.tag,
        "lean_version": corpus.lean_version,
    }
    document = document_row(corpus, len(rows), version)
    write_index(aside / TABLES, document, rows, vectors, constants)
    progress("tables", len(rows), len(rows))
    manifest = IndexManifest(
        version=version,
        corpus=corpus.corpus,
        corpus_sha256=corpus.sha256,
        mathlib_tag=corpus.tag,
        toolchain_digest=corpus.toolchain_digest,
        encoder=encoder.pin,
        text_version=TEXT_VERSION,
        count=len(rows),
        dimensions=vectors.shape[1],
        built_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - began, 1),
    )
    shutil.rmtree(aside / "chunks")
    (aside / MANIFEST).write_text(manifest.model_dump_json(indent=1) + "\n", "utf-8")
    write_agreement(settings.corpus, corpus, version, [row.decl_name for row in rows])
    return manifest


def declaration_rows(
    declarations: Sequence[Declaration],
    corpus: CorpusManifest,
    progress: Progress = lambda *_: None,
) -> list[DeclarationRow]:
    """What the index keeps of each declaration, in the order given."""
    document = corpus.sha256[:12]
    spoken_of = popularity(declarations)
    rows = []
    for order, declaration in enumerate(declarations):
        made = texts(declaration)
        rows.append(
            DeclarationRow(
                chunk_id=f"{document}:{MATHLIB_UNIT}:{order}",
                doc_id=document,
                order=order,
                decl_name=declaration.name,
                kind=declaration.kind,
                module_path=declaration.module,
                signature=" ".join(declaration.type.split()),
                type=declaration.type,
                docstring=declaration.doc or "",
                popularity=spoken_of(declaration.name),
                search_text=made.search,
                embedding_text=made.embedding,
            )
        )
        if order % 1000 == 0:
            progress("texts", order, len(declarations))
    progress("texts", len(declarations), len(declarations))
    return rows


def popularity(declarations: Sequence[Declaration]) -> Callable[[str], float]:
    """How much a corpus speaks of the namespace of a name, 0 to 1 on a logarithmic scale.

    Of two equally good lemmas, one about `Nat` is wanted more often than one about `UInt8`. What
    lies in no namespace, such as the laws of logic, counts as most popular; a namespace that is
    no declaration itself, such as `Classical`, is in the middle.
    """
    mentions = Counter(name for each in declarations for name in set(each.constants))
    most = math.log1p(max(mentions.values(), default=1))

    def _of(name: str) -> float:
        namespace = name.rpartition(".")[0]
        if not namespace:
            return 1.0
        return math.log1p(mentions[namespace]) / most if namespace in mentions else _UNKNOWN

    return _of


def document_row(corpus: CorpusManifest, units: int, version: str) -> dict[str, Any]:
    """The row of `documents` that stands for the whole corpus."""
    return {
        "doc_id": corpus.sha256[:12],
        "title": corpus.tag,
        "source_type": "lean_library",
        "language": "lean",
        "sha256": corpus.sha256,
        "n_units": units,
        "license": "Apache-2.0" if corpus.corpus == "embedded" else "",
        "redistributable": corpus.corpus == "embedded",
        "parser": "lean exporter",
        "ingested_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "index_version": version,
    }


def write_agreement(
    corpus_name: str, corpus: CorpusManifest, version: str, names: Sequence[str]
) -> Path:
    """Write what a verifier needs to see that its toolchain is the one that was indexed.

    The names are a random sample that is the same for the same index.
    """
    sample = random.Random(version).sample(sorted(names), min(AGREEMENT_NAMES, len(names)))  # noqa: S311
    path = agreement_path(corpus_name)
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {
        "corpus": corpus.corpus,
        "index_version": version,
        "mathlib_tag": corpus.tag,
        "lean_version": corpus.lean_version,
        "lean_commit": corpus.lean_commit,
        "toolchain_digest": corpus.toolchain_digest,
        "names": sample,
    }
    aside = path.with_suffix(".new")
    aside.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return aside.replace(path)


def _agrees(corpus_name: str, manifest: IndexManifest) -> bool:
    try:
        said = json.loads(agreement_path(corpus_name).read_bytes())
    except (FileNotFoundError, ValueError):
        return False
    return isinstance(said, dict) and said.get("index_version") == manifest.version


def _names(folder: Path) -> Sequence[str]:
    from ragsolver_rag.index_lancedb import LanceIndex

    return LanceIndex(folder / TABLES).names()
