"""The search as a process uses it: opened from settings, at the first question."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ragsolver_contracts.retrieval import (
    Citation,
    RetrievalRequest,
    RetrievalResult,
    VersionsPin,
)
from ragsolver_rag.embed import EncoderConfig, SentenceEncoder
from ragsolver_rag.index_folder import (
    MATHLIB,
    TABLES,
    IndexManifest,
    IndexMissingError,
    find_index,
    rebuild_command,
)
from ragsolver_rag.rerank import CrossEncoderReranker
from ragsolver_rag.search import Parts, Search
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import Tuning, load_tuning


class Opened(NamedTuple):
    """An opened index with its models, from which searches are made."""

    parts: Parts
    manifest: IndexManifest
    settings: RetrieverSettings

    def search(self, tuning: Tuning, *, dense: bool = True) -> Search:
        """A search with this tuning, without the vectors if so wanted."""
        parts = self.parts if dense else replace(self.parts, encoder=None)
        versions = VersionsPin(
            embedding_model=self.manifest.encoder if parts.encoder is not None else "",
            index_version=self.manifest.version,
            mathlib_tag=self.manifest.mathlib_tag,
            mathlib_table=MATHLIB,
        )
        own = tuning.for_corpus(self.manifest.parser)
        return Search(parts, settings=self.settings, tuning=own, versions=versions)


def open_parts(settings: RetrieverSettings) -> Opened:
    """The index that the settings name; models are loaded at the first query.

    Raises:
        IndexMissingError: the index is not built; says what to run.
    """
    folder, manifest = find_index(settings)
    from ragsolver_rag.index_lancedb import LanceIndex

    encoder = SentenceEncoder(EncoderConfig.of(settings)) if manifest.dimensions else None
    reranker = None
    if settings.reranker:
        reranker = CrossEncoderReranker(settings.reranker, offline=settings.offline)
    try:
        index = LanceIndex(folder / TABLES)
    except (OSError, ValueError, RuntimeError) as error:
        raise IndexMissingError(
            f"the index at {folder} cannot be opened ({error}): "
            f"{rebuild_command(settings)} --force`"
        ) from error
    return Opened(Parts(index, encoder, reranker), manifest, settings)


def open_search(settings: RetrieverSettings) -> Search:
    """The search over the index that the settings name, as they tune it.

    Raises:
        IndexMissingError: the index is not built or broken; says what to run.
    """
    return open_parts(settings).search(load_tuning(settings.tuning))


class LazySearch:
    """Opens the search once, when it is first needed, from whichever thread asks first."""

    def __init__(self, open_it: Callable[[], Search]) -> None:
        """Open nothing yet."""
        self._open = open_it
        self._lock = threading.Lock()
        self._search: Search | None = None

    def search(self, request: RetrievalRequest, cited: Mapping[str, Citation]) -> RetrievalResult:
        """See `Search.search`; a failure to open is raised, and tried again next time."""
        return self._opened().search(request, cited)

    def warm(self) -> None:
        """Open it and load its models."""
        self._opened().warm()

    def _opened(self) -> Search:
        with self._lock:
            if self._search is None:
                self._search = self._open()
            return self._search
