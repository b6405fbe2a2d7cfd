"""The search as a process uses it: opened from settings, at the first question."""

import threading
from collections.abc import Callable, Mapping

from ragsolver_contracts.retrieval import (
    Citation,
    RetrievalRequest,
    RetrievalResult,
    VersionsPin,
)
from ragsolver_rag.embed import EncoderConfig, SentenceEncoder
from ragsolver_rag.index_folder import TABLES, find_index
from ragsolver_rag.rerank import CrossEncoderReranker
from ragsolver_rag.search import Search
from ragsolver_rag.settings import RetrieverSettings


def open_search(settings: RetrieverSettings) -> Search:
    """The search over the index that the settings name; models are loaded at the first query.

    Raises:
        IndexMissingError: the index is not built; says what to run.
    """
    folder, manifest = find_index(settings)
    from ragsolver_rag.index_lancedb import MATHLIB, LanceIndex

    config = EncoderConfig.of(settings)
    reranker = None
    if settings.reranker:
        reranker = CrossEncoderReranker(settings.reranker, offline=settings.offline)
    versions = VersionsPin(
        embedding_model=config.pin,
        index_version=manifest.version,
        mathlib_tag=manifest.mathlib_tag,
        mathlib_table=MATHLIB,
    )
    return Search(
        LanceIndex(folder / TABLES),
        SentenceEncoder(config),
        settings=settings,
        versions=versions,
        reranker=reranker,
    )


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
