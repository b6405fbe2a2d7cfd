"""Where an index lies, what identifies it, and whether it is there.

`<cache>/index/<corpus>/<version>/` holds `manifest.json`, written last, and `lance/`. The version
is a digest of all that decides the content, so a changed corpus or encoder has another folder and
an old one is never mistaken for it. Reading this needs neither LanceDB nor a model.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from ragsolver_contracts.ids import digest
from ragsolver_rag.corpus import (
    CorpusError,
    CorpusManifest,
    corpus_dir,
    read_manifest,
)
from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tokenize import TEXT_VERSION
from ragsolver_runtime.paths import cache_dir

MANIFEST = "manifest.json"
TABLES = "lance"
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


def indexes_dir(corpus: str) -> Path:
    """Folder of every index of a corpus."""
    return cache_dir() / "index" / corpus


def index_version(corpus: CorpusManifest, settings: RetrieverSettings) -> str:
    """Digest of all that decides what an index holds, 12 hexadecimal digits."""
    parts = (
        corpus.sha256,
        corpus.toolchain_digest,
        EncoderConfig.of(settings).pin,
        str(TEXT_VERSION),
        settings.exclusions.model_dump_json(),
    )
    return digest("\n".join(parts))[:12]


def index_dir(corpus: CorpusManifest, settings: RetrieverSettings) -> Path:
    """Folder of the index of a corpus, whether it exists or not."""
    return indexes_dir(settings.corpus) / index_version(corpus, settings)


def read_index_manifest(folder: Path) -> IndexManifest | None:
    """The manifest of an index folder; none where the index is absent or not whole."""
    try:
        manifest = IndexManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    return manifest if (folder / TABLES).is_dir() else None


def find_index(settings: RetrieverSettings) -> tuple[Path, IndexManifest]:
    """The folder and the manifest of the index that the settings name.

    Raises:
        IndexMissingError: it was not built, or the corpus or the settings changed since.
    """
    try:
        corpus = read_manifest(corpus_dir(settings.corpus))
    except CorpusError as error:
        raise IndexMissingError(
            f"the formal corpus {settings.corpus!r} is not there yet ({error}): {BUILD}"
        ) from error
    folder = index_dir(corpus, settings)
    manifest = read_index_manifest(folder)
    if manifest is None:
        raise IndexMissingError(
            f"no index of {corpus.tag} with encoder {settings.encoder} at {folder}: {BUILD}"
        )
    return folder, manifest
