"""The search as a process uses it: opened from settings, and again when the index changes."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragsolver_contracts.retrieval import (
    Citation,
    RetrievalRequest,
    RetrievalResult,
    VersionsPin,
)
from ragsolver_rag.embed import EncoderConfig
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_folder import (
    MATHLIB,
    IndexManifest,
    IndexMissingError,
    find_index,
    index_mark,
    is_outdated,
    rebuild_command,
    tables_dir,
)
from ragsolver_rag.index_lease import FolderGoneError, Lease
from ragsolver_rag.models import Models
from ragsolver_rag.search import Parts, Search
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.tuning import Tuning, load_tuning

_log = logging.getLogger(__name__)

_TRIES = 5
"""Openings that a writer may overtake in a row."""


@dataclass(frozen=True)
class Opened:
    """An opened index with its models, from which searches are made."""

    parts: Parts
    manifest: IndexManifest
    settings: RetrieverSettings
    lease: Lease | None = field(default=None, repr=False)
    """Keeps the tables from being removed."""

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


def open_parts(
    settings: RetrieverSettings, models: Models | None = None, *, whole: bool = False
) -> Opened:
    """The index that the settings name; models are loaded at the first query.

    Args:
        settings: which index.
        models: those that other indexes of the process use, too.
        whole: compare every byte of the index with what was written; a second for 600 MB.

    Raises:
        IndexMissingError: the index is not built or damaged; says what to run.
    """
    from ragsolver_rag.index_check import opened_index
    from ragsolver_rag.index_tables import Caches

    models = models or Models(settings)
    for _ in range(_TRIES):
        folder, manifest = find_index(settings)
        try:
            lease = Lease(tables_dir(folder, manifest))
        except FolderGoneError:
            continue  # built anew since the manifest was read
        try:
            index = opened_index(
                folder,
                manifest,
                EncoderConfig.of(settings),
                whole=whole,
                caches=Caches(indices=settings.index_cache_mb << 20),
            )
        except IndexDamagedError as error:
            lease.close()
            raise IndexMissingError(f"{error}: {rebuild_command(settings)}`") from error
        encoder = models.encoder if manifest.dimensions else None
        if is_outdated(settings, manifest):
            _log.warning(
                "the library %s changed since index %s was made: %s`",
                settings.corpus,
                manifest.version,
                rebuild_command(settings),
            )
        return Opened(Parts(index, encoder, models.reranker), manifest, settings, lease)
    raise IndexMissingError(
        f"the tables that {folder} names are not there: {rebuild_command(settings)}`"
    )


def open_search(settings: RetrieverSettings) -> Search:
    """The search over the index that the settings name, as they tune it.

    Raises:
        IndexMissingError: the index is not built or broken; says what to run.
    """
    return open_parts(settings).search(load_tuning(settings.tuning))


class _Serving:
    """One version of the index, as long as a request uses it."""

    def __init__(self, opened: Opened, search: Search) -> None:
        self.opened = opened  # holds the lease
        self.search = search


class ServedSearch:
    """The search of a process that serves: opened when it is first needed, from any thread.

    Every request is answered from one version of the index, which the answer names. When another
    version has been written, the next request opens it; others meanwhile are answered from the
    one before, whose files stay until its last request is done.
    """

    def __init__(
        self,
        settings: RetrieverSettings,
        models: Models,
        open_it: Callable[..., Opened] = open_parts,
    ) -> None:
        """Open nothing yet."""
        self._settings = settings
        self._models = models
        self._open = open_it
        self._opening = threading.Lock()
        self._serving: _Serving | None = None
        self._folder = Path()
        self._mark: tuple[tuple[int, ...], ...] = ()

    def search(self, request: RetrievalRequest, cited: Mapping[str, Citation]) -> RetrievalResult:
        """See `Search.search`.

        Raises:
            IndexMissingError: there is no index fit for use; looked for again at the next request.
            IndexDamagedError: it was damaged since it was opened; opened anew at the next request.
        """
        serving = self._current()
        try:
            return serving.search.search(request, cited)
        except IndexDamagedError as error:
            if self._serving is serving:
                self._serving = None
            raise IndexDamagedError(f"{error}: {rebuild_command(self._settings)}`") from error

    def warm(self) -> None:
        """Open it and load its models."""
        self._current().search.warm()

    def _current(self) -> _Serving:
        serving = self._serving
        if serving is not None:
            if index_mark(self._settings, self._folder) == self._mark:
                return serving
            if not self._opening.acquire(blocking=False):
                return serving  # somebody else opens the new one
        else:
            self._opening.acquire()
        try:
            return self._opened_again()
        finally:
            self._opening.release()

    def _opened_again(self) -> _Serving:
        """What is served from now on; the caller holds the lock."""
        folder, manifest = find_index(self._settings)
        mark = index_mark(self._settings, folder)
        serving = self._serving
        if serving is None or serving.opened.manifest != manifest:
            opened = self._open(self._settings, self._models, whole=True)
            search = opened.search(load_tuning(self._settings.tuning))
            if serving is not None:
                search.warm()  # this request pays for all that come after it
            self._serving = serving = _Serving(opened, search)
        self._folder, self._mark = folder, mark
        return serving
