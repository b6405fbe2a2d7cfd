"""Building the index of a corpus: in tables of its own, which the manifest names when it is whole.

One builder at a time; a second one waits, says so, and then finds the work done. Whoever reads
the tables of before reads on. An interrupted build goes on where it stopped, because embedded
chunks are kept.
"""

import json
import random
import shutil
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ragsolver_rag.corpus import (
    EXPORTER,
    CorpusError,
    CorpusManifest,
    Declaration,
    make_corpus,
    read_declarations,
    read_manifest,
    select,
)
from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.embed_corpus import embed_corpus
from ragsolver_rag.index import DeclarationRow
from ragsolver_rag.index_files import damage, stored_files
from ragsolver_rag.index_folder import (
    IndexManifest,
    all_indexes,
    index_dir,
    index_recipe,
    index_version,
    indexes_dir,
    learned_from,
    read_index_manifest,
    tables_dir,
)
from ragsolver_rag.index_generations import (
    CHUNKS,
    new_tables,
    only_writer,
    publish,
    removed_unless_finished,
    sweep,
)
from ragsolver_rag.index_lancedb import LanceIndex, embedded_before
from ragsolver_rag.index_memory import facts_of_rows
from ragsolver_rag.index_write import write_index
from ragsolver_rag.meaning import Meanings, learn_meanings
from ragsolver_rag.rows import declaration_rows
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tokenize import TEXT_VERSION
from ragsolver_rag.tuning import load_tuning
from ragsolver_runtime.paths import agreement_path

AGREEMENT_NAMES = 200
"""Names that a verifier can look up to see that index and toolchain agree."""

Progress = Callable[[str, int, int], None]
"""Called with the stage (`corpus`, `texts`, `embed`, `meanings`, `tables`, or for whom it waits),
how much is done, and of how much (0: not known)."""


def build_index(
    settings: RetrieverSettings,
    *,
    force: bool = False,
    progress: Progress = lambda *_: None,
) -> tuple[IndexManifest, bool]:
    """The index of the settings, built where it is missing.

    Args:
        settings: corpus, encoder and what to leave out.
        force: build again although it is there; nothing that was embedded before is taken.
            A damaged index is built again in any case.
        progress: see `Progress`.

    Returns:
        What the index is, and whether it was built by this call.

    Raises:
        CorpusError: the corpus cannot be made or read.
        ModelError: the encoder is not on this machine.
        IndexWriteError: the disk is full or refuses; the index of before is as it was.
    """
    began = time.monotonic()
    progress("corpus", 0, 0)
    source = make_corpus(settings.corpus, on_count=lambda done: progress("corpus", done, 0))
    corpus = read_manifest(source)
    home = indexes_dir(settings.corpus)
    home.mkdir(parents=True, exist_ok=True)
    with only_writer(home, lambda said: progress(said, 0, 0)):
        target = index_dir(corpus, settings)
        found = read_index_manifest(target)
        if found is not None and not force and not _damaged(target, found):
            if not _agrees(settings.corpus, found):
                write_agreement(settings.corpus, corpus, found.version, _names(target, found))
            found = _listed(target, found)
            sweep(home, corpus.sha256)
            return found, False
        if force:
            shutil.rmtree(target / CHUNKS, ignore_errors=True)
        built = _build(settings, source, target, progress, began, force=force)
        sweep(home, corpus.sha256)
        return built, True


def _damaged(folder: Path, manifest: IndexManifest) -> str:
    return damage(tables_dir(folder, manifest), manifest.files, whole=True)


def _listed(folder: Path, manifest: IndexManifest) -> IndexManifest:
    """The manifest with the list of its files, where it was written before there were lists."""
    if manifest.files:
        return manifest
    files = stored_files(tables_dir(folder, manifest))
    return publish(folder, manifest.model_copy(update={"files": files}))


def _build(
    settings: RetrieverSettings,
    source: Path,
    target: Path,
    progress: Progress,
    began: float,
    *,
    force: bool,
) -> IndexManifest:
    corpus = read_manifest(source)
    kept = _kept(settings, source, corpus)
    rows = declaration_rows(
        kept,
        corpus,
        load_tuning(settings.tuning).text.repeats,
        on_texts=lambda done: progress("texts", done, len(kept)),
    )
    vectors = _vectors(settings, rows, target, progress, anew=force) if settings.dense else None
    meanings = _meanings(rows, progress) if learned_from(corpus.parser) else None
    progress("tables", 0, len(rows))
    said = _manifest(settings, corpus, rows, 0 if vectors is None else vectors.shape[1])
    constants = {
        "embedding_model": said.encoder,
        "mathlib_tag": corpus.tag,
        "lean_version": corpus.lean_version,
    }
    tables = new_tables(target)
    with removed_unless_finished(tables):
        document = document_row(corpus, len(rows), said.version)
        write_index(tables, document, rows, vectors, constants, meanings)
        files = stored_files(tables)
    progress("tables", len(rows), len(rows))
    write_agreement(settings.corpus, corpus, said.version, [row.decl_name for row in rows])
    seconds = round(time.monotonic() - began, 1)
    whole = said.model_copy(update={"tables": tables.name, "files": files, "seconds": seconds})
    publish(target, whole)
    shutil.rmtree(target / CHUNKS, ignore_errors=True)
    return whole


def _manifest(
    settings: RetrieverSettings,
    corpus: CorpusManifest,
    rows: Sequence[DeclarationRow],
    dimensions: int,
) -> IndexManifest:
    """What is known before the tables are written."""
    return IndexManifest(
        version=index_version(corpus, settings),
        corpus=corpus.corpus,
        corpus_sha256=corpus.sha256,
        mathlib_tag=corpus.tag,
        toolchain_digest=corpus.toolchain_digest,
        encoder=EncoderConfig.of(settings).pin if dimensions else "",
        text_version=TEXT_VERSION,
        count=len(rows),
        dimensions=dimensions,
        built_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=0.0,
        parser=corpus.parser,
        recipe=index_recipe(settings, corpus.parser),
    )


def _kept(settings: RetrieverSettings, source: Path, corpus: CorpusManifest) -> list[Declaration]:
    exclusions = settings.exclusions
    if corpus.parser != EXPORTER:
        # Only an exporter sees what Lean itself makes; elsewhere a person wrote such a name.
        exclusions = exclusions.model_copy(update={"generated": False})
    kept = select(read_declarations(source), exclusions)
    if read_manifest(source).sha256 != corpus.sha256:
        raise CorpusError(f"the corpus at {source} changed while it was read: run this again")
    return kept


def _meanings(rows: Sequence[DeclarationRow], progress: Progress) -> Meanings | None:
    facts = facts_of_rows(rows)
    written = np.array([not row.origin for row in rows], np.bool_)
    return learn_meanings(
        facts, written, on_epoch=lambda done, total: progress("meanings", done, total)
    )


def _vectors(
    settings: RetrieverSettings,
    rows: Sequence[DeclarationRow],
    target: Path,
    progress: Progress,
    *,
    anew: bool,
) -> npt.NDArray[np.float16]:
    """Vectors of all rows. A text that an older index of the corpus has is not embedded again."""
    encoder = EncoderConfig.of(settings)
    wanted = {row.embedding_text for row in rows}
    known = {} if anew else _known_vectors(settings, encoder.pin, wanted)
    missing = sorted(wanted - set(known))
    made = embed_corpus(
        missing,
        target / CHUNKS,
        encoder,
        processes=settings.embed_processes,
        on_done=lambda done: progress("embed", done, len(missing)),
    )
    known.update(zip(missing, made, strict=True))
    return np.stack([known[row.embedding_text] for row in rows])


def _known_vectors(
    settings: RetrieverSettings, pin: str, wanted: set[str]
) -> dict[str, npt.NDArray[np.float16]]:
    known: dict[str, npt.NDArray[np.float16]] = {}
    for folder, manifest in all_indexes(indexes_dir(settings.corpus)):
        if manifest.encoder == pin and not _damaged(folder, manifest):
            tables = tables_dir(folder, manifest)
            known.update(embedded_before(tables, wanted - set(known)))
    return known


def document_row(corpus: CorpusManifest, units: int, version: str) -> dict[str, Any]:
    """The row of `documents` that stands for the whole corpus."""
    spdx = corpus.license or ("Apache-2.0" if corpus.corpus == "embedded" else "")
    return {
        "doc_id": corpus.sha256[:12],
        "title": corpus.tag,
        "source_type": "lean_library",
        "language": "lean",
        "sha256": corpus.sha256,
        "n_units": units,
        "license": spdx,
        "redistributable": bool(spdx),
        "parser": corpus.parser,
        "parser_version": corpus.parser_version,
        "lean_version": corpus.lean_version,
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


def _names(folder: Path, manifest: IndexManifest) -> Sequence[str]:
    return LanceIndex(tables_dir(folder, manifest)).names()
