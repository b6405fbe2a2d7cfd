"""Where an index lies, what identifies it, and whether it is there.

`<cache>/index/<corpus>/<version>/` holds `manifest.json`, written last, and `lance/`. The version
is a digest of all that decides the content, so a changed corpus or encoder has another folder and
an old one is never mistaken for it. Reading this needs neither LanceDB nor a model.
"""

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
BUILD = "run `ragsolver index build`"


class IndexMissingError(Exception):
    """There is no index of this corpus, encoder and text version; says what to run."""


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


def indexes_dir(corpus: str) -> Path:
    """Folder of every index of a corpus."""
    return cache_dir() / "index" / corpus


def index_version(corpus: CorpusManifest, settings: RetrieverSettings) -> str:
    """Digest of all that decides what an index holds, 12 hexadecimal digits."""
    parts = (
        corpus.sha256,
        corpus.toolchain_digest,
        EncoderConfig.of(settings).pin if settings.dense else "",
        f"{FORMAT_VERSION} {TEXT_VERSION}",
        settings.exclusions.model_dump_json(),
        load_tuning(settings.tuning).text.model_dump_json(),
        *learned_from(corpus),
    )
    return digest("\n".join(parts))[:12]


def index_dir(corpus: CorpusManifest, settings: RetrieverSettings) -> Path:
    """Folder of the index of a corpus, whether it exists or not."""
    return indexes_dir(settings.corpus) / index_version(corpus, settings)


def learned_from(corpus: CorpusManifest) -> tuple[str, ...]:
    """What is learned from a corpus; nothing of an exported one, which has no documentation."""
    return () if corpus.parser == EXPORTER else (f"meanings {MEANING_VERSION}",)


def read_index_manifest(folder: Path) -> IndexManifest | None:
    """The manifest of an index folder; none where the index is absent or not whole."""
    try:
        manifest = IndexManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    return manifest if (folder / TABLES).is_dir() else None


def find_index(settings: RetrieverSettings) -> tuple[Path, IndexManifest]:
    """The folder and the manifest of the index that the settings name.

    Where the one with vectors is not there, the one without is the answer.

    Raises:
        IndexMissingError: it was not built, or the corpus or the settings changed since.
    """
    try:
        corpus = read_manifest(corpus_dir(settings.corpus))
    except CorpusError as error:
        raise IndexMissingError(
            f"the formal corpus {settings.corpus!r} is not there yet ({error}): {BUILD}"
        ) from error
    wanted = [settings, replace(settings, dense=False)] if settings.dense else [settings]
    for each in wanted:
        folder = index_dir(corpus, each)
        manifest = read_index_manifest(folder)
        if manifest is not None:
            return folder, manifest
    raise IndexMissingError(_missing(corpus, settings))


def _missing(corpus: CorpusManifest, settings: RetrieverSettings) -> str:
    """What is missing, what is there instead, and what to run."""
    folder = index_dir(corpus, settings)
    build = f"{rebuild_command(settings)}`"
    home = indexes_dir(settings.corpus)
    others = [f for f in home.iterdir() if read_index_manifest(f)] if home.is_dir() else []
    older = " (an index of another format or content is there and stays)" if others else ""
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
