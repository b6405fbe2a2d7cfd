"""Where an index lies, what identifies it, and whether it is there.

`<cache>/index/<corpus>/<version>/` holds `manifest.json`, written last, and the folder of tables
that it names. The version is a digest of all that decides the content, so a changed corpus or
encoder has another folder and an old one is never mistaken for it. Whoever builds it again writes
other tables beside the old ones and then replaces the manifest. Reading this needs neither LanceDB
nor a model.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from ragsolver_contracts.ids import digest
from ragsolver_rag.corpus import (
    EXPORTER,
    CorpusError,
    CorpusManifest,
    corpus_dir,
    read_manifest,
)
from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.index_files import StoredFile
from ragsolver_rag.meaning import MEANING_VERSION
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tokenize import TEXT_VERSION
from ragsolver_rag.tuning import load_tuning
from ragsolver_runtime.paths import cache_dir

FORMAT_VERSION = 2
"""Of the tables; another one is another index."""
MANIFEST = "manifest.json"
TABLES = "lance"
MATHLIB = "mathlib"
"""Table of the declarations of the formal corpus, whichever it is."""
CHANGED = ".changed"
"""Written anew whenever an index of the corpus was finished."""
BUILD = "run `ragsolver index build`"


class IndexMissingError(Exception):
    """There is no index fit for use: not built, half written or damaged; says what to run."""


class IndexManifest(BaseModel):
    """What an index is."""

    model_config = ConfigDict(frozen=True)

    version: str
    corpus: str
    corpus_sha256: str
    mathlib_tag: str
    toolchain_digest: str
    encoder: str
    text_version: int
    count: int
    dimensions: int
    built_at: str
    seconds: float
    """How long the build took."""
    parser: str = EXPORTER
    """What made the corpus."""
    recipe: str = ""
    """Digest of all that decides the content but the corpus; see `index_recipe`."""
    tables: str = TABLES
    """Folder of the tables, beside the manifest."""
    files: tuple[StoredFile, ...] = ()
    """What lies in it; empty where it was written before files were listed."""


def indexes_dir(corpus: str) -> Path:
    """Folder of every index of a corpus."""
    return cache_dir() / "index" / corpus


def index_version(corpus: CorpusManifest, settings: RetrieverSettings) -> str:
    """Digest of all that decides what an index holds, 12 hexadecimal digits."""
    parts = (corpus.sha256, corpus.toolchain_digest, *_recipe(settings, corpus.parser))
    return digest("\n".join(parts))[:12]


def index_recipe(settings: RetrieverSettings, parser: str) -> str:
    """Digest of all that decides what an index holds but the corpus, 12 hexadecimal digits.

    Args:
        settings: of the retriever.
        parser: what made the corpus.
    """
    return digest("\n".join(_recipe(settings, parser)))[:12]


def _recipe(settings: RetrieverSettings, parser: str) -> tuple[str, ...]:
    return (
        EncoderConfig.of(settings).pin if settings.dense else "",
        f"{FORMAT_VERSION} {TEXT_VERSION}",
        settings.exclusions.model_dump_json(),
        load_tuning(settings.tuning).text.model_dump_json(),
        *learned_from(parser),
    )


def index_dir(corpus: CorpusManifest, settings: RetrieverSettings) -> Path:
    """Folder of the index of a corpus, whether it exists or not."""
    return indexes_dir(settings.corpus) / index_version(corpus, settings)


def learned_from(parser: str) -> tuple[str, ...]:
    """What is learned from a corpus; nothing of an exported one, which has no documentation."""
    return () if parser == EXPORTER else (f"meanings {MEANING_VERSION}",)


def read_index_manifest(folder: Path) -> IndexManifest | None:
    """The manifest of an index folder; none where the index is absent or not whole."""
    try:
        manifest = IndexManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    return manifest if (folder / manifest.tables).is_dir() else None


def find_index(settings: RetrieverSettings) -> tuple[Path, IndexManifest]:
    """The folder and the manifest of the index that the settings name.

    Where the one with vectors is not there, the one without is the answer. A library that was read
    from text and changed since is answered from its last index until the new one is there.

    Raises:
        IndexMissingError: it was not built, is damaged, or corpus or settings changed since.
    """
    wanted = [settings, replace(settings, dense=False)] if settings.dense else [settings]
    try:
        corpus = read_manifest(corpus_dir(settings.corpus))
    except CorpusError as error:
        older = _older(wanted)
        if older is not None:
            return older
        raise IndexMissingError(
            f"the formal corpus {settings.corpus!r} is not there yet ({error}): {BUILD}"
        ) from error
    for each in wanted:
        folder = index_dir(corpus, each)
        manifest = read_index_manifest(folder)
        if manifest is not None:
            return folder, manifest
        if (folder / MANIFEST).exists():
            raise IndexMissingError(_missing(corpus, each))
    older = _older(wanted) if not corpus.toolchain_digest else None
    if older is not None:
        return older
    raise IndexMissingError(_missing(corpus, settings))


def _older(wanted: Sequence[RetrieverSettings]) -> tuple[Path, IndexManifest] | None:
    """The newest index that was made of an earlier text of the library in the same way.

    An exported corpus is that of one toolchain, and another toolchain's is not an answer.
    """
    home = indexes_dir(wanted[0].corpus)
    found = [(f, m) for f, m in all_indexes(home) if not m.toolchain_digest]
    for each in wanted:
        of_recipe = [(f, m) for f, m in found if m.recipe == index_recipe(each, m.parser)]
        if of_recipe:
            return max(of_recipe, key=lambda pair: pair[1].built_at)
    return None


def all_indexes(home: Path) -> list[tuple[Path, IndexManifest]]:
    """Every finished index of a corpus, by folder."""
    if not home.is_dir():
        return []
    folders = sorted(folder for folder in home.iterdir() if folder.is_dir())
    found = ((folder, read_index_manifest(folder)) for folder in folders)
    return [(folder, manifest) for folder, manifest in found if manifest is not None]


def tables_dir(folder: Path, manifest: IndexManifest) -> Path:
    """Where the tables of an index lie."""
    return folder / manifest.tables


def is_outdated(settings: RetrieverSettings, manifest: IndexManifest) -> bool:
    """Whether the corpus has changed since the index was made of it."""
    try:
        return read_manifest(corpus_dir(settings.corpus)).sha256 != manifest.corpus_sha256
    except CorpusError:
        return True


def index_mark(settings: RetrieverSettings, folder: Path) -> tuple[tuple[int, ...], ...]:
    """What changes when `find_index` may give another answer; three looks at the file system."""
    watched = (
        corpus_dir(settings.corpus) / MANIFEST,
        indexes_dir(settings.corpus) / CHANGED,
        folder / MANIFEST,
    )
    return tuple(map(_mark, watched))


def _mark(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_mtime_ns, found.st_ino, found.st_size)


def _missing(corpus: CorpusManifest, settings: RetrieverSettings) -> str:
    """What is missing, what is there instead, and what to run."""
    folder = index_dir(corpus, settings)
    build = f"{rebuild_command(settings)}`"
    home = indexes_dir(settings.corpus)
    older = " (an index of another format or content is there)" if all_indexes(home) else ""
    if folder.is_dir():
        return f"the index at {folder} is not whole, it was damaged or half written: {build}"
    named = f"encoder {settings.encoder}" if settings.dense else "words alone"
    return f"no index of {corpus.tag} with {named} at {folder}{older}: {build}"


def rebuild_command(settings: RetrieverSettings) -> str:
    """The command that makes the index, its closing mark left out."""
    if settings.corpus == "embedded":
        return BUILD[:-1]
    words_only = "" if settings.dense else " --set retriever.dense=false"
    return f"{BUILD[:-1]} --set retriever.corpus={settings.corpus}{words_only}"
