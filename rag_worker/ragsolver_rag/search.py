"""The one search of all modes.

Query templates; per query the nearest by embedding and the best by BM25; a second stage that
weighs what speaks for each candidate, or reciprocal rank fusion alone; fusion over the queries; a
cross-encoder on the best of them, where one is configured; at most so many per module; the top k,
cited. In `error` mode the identifiers of the message come first: themselves where they exist,
otherwise the names most like them. No language model is ever asked.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ragsolver_contracts.retrieval import (
    Citation,
    CitationScores,
    RetrievalFilters,
    RetrievalRequest,
    RetrievalResult,
    RetrievalTrace,
    VersionsPin,
)
from ragsolver_rag.cite import declaration_hits, statement_of
from ragsolver_rag.embed import Encoder
from ragsolver_rag.fuse import fused_scores
from ragsolver_rag.index import DeclarationRow, Index
from ragsolver_rag.names import NameIndex
from ragsolver_rag.queries import Query, prepare
from ragsolver_rag.ranking import Candidates, Rescorer
from ragsolver_rag.rerank import Reranker
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.shape import whole_shapes
from ragsolver_rag.statement import split_type
from ragsolver_rag.tuning import Tuning

DISABLED = "disabled"
"""Index version of a result that was not looked for, because retrieval is off."""

_SAME = 20
"""Declarations with the shape of a statement that are compared with it."""


@dataclass(frozen=True)
class Parts:
    """What a search is made of."""

    index: Index
    """The formal corpus."""
    encoder: Encoder | None
    """Must be the one whose vectors the index holds; none: only words find declarations."""
    reranker: Reranker | None = None
    """A cross-encoder for the best candidates of requests that ask for it."""


@dataclass
class _Found:
    """A candidate and how each stage scored it."""

    order: int
    dense: float | None = None
    sparse: float | None = None
    fused: float | None = None
    rerank: float | None = None

    @property
    def scores(self) -> CitationScores:
        return CitationScores(
            dense=self.dense, sparse=self.sparse, fused=self.fused, rerank=self.rerank
        )


@dataclass
class _Pool:
    """Everything that the channels found, and their ranked lists."""

    found: dict[int, _Found] = field(default_factory=dict)
    lists: list[tuple[list[int], float]] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    """Declarations that come before all others."""

    def entry(self, order: int) -> _Found:
        return self.found.setdefault(order, _Found(order))

    def keep(self, candidates: Candidates) -> None:
        for order in candidates.orders:
            self.entry(order)
        for order, score in candidates.dense:
            entry = self.entry(order)
            entry.dense = max(score, entry.dense if entry.dense is not None else score)
        for order, score in candidates.lexical:
            entry = self.entry(order)
            entry.sparse = max(score, entry.sparse or score)


class Search:
    """Answers retrieval requests from one index; safe to call from several threads."""

    def __init__(
        self, parts: Parts, *, settings: RetrieverSettings, tuning: Tuning, versions: VersionsPin
    ) -> None:
        """Keep the parts.

        Args:
            parts: index and models.
            settings: of the process.
            tuning: weights and limits.
            versions: what every result is stamped with.
        """
        self._index = parts.index
        self._encoder = parts.encoder
        self._reranker = parts.reranker
        self._settings = settings
        self._tuning = tuning
        self._versions = versions
        self._names = NameIndex(parts.index.names)
        self._rescorer = Rescorer(parts.index, tuning)

    def search(
        self, request: RetrievalRequest, cited: Mapping[str, Citation] | None = None
    ) -> RetrievalResult:
        """What was asked for, best first.

        The informal corpus is empty so far; a request for it alone finds nothing.

        Args:
            request: the question.
            cited: citations of the problem so far, by chunk; a chunk keeps its id.
        """
        began = time.perf_counter()
        pool = _Pool()
        if "mathlib" in request.corpora:
            for asked in request.queries:
                self._collect(pool, prepare(asked, request.mode), request)
        ranked = self._ranked(pool, request)
        chosen = self._spread(pool.first, ranked)[: request.k]
        rows = self._index.rows([found.order for found in chosen])
        scored = [(row, found.scores) for row, found in zip(rows, chosen, strict=True)]
        hits = declaration_hits(scored, request.context, cited or {}, self._settings.docs_url)
        versions = self._versions
        if request.rerank and self._reranker is not None:
            versions = versions.model_copy(update={"reranker_model": self._reranker.name})
        return RetrievalResult(
            hits=hits,
            citations=[hit.citation for hit in hits],
            trace=RetrievalTrace(
                latency_ms=round((time.perf_counter() - began) * 1000, 2),
                n_candidates=len(pool.found),
                versions=versions,
            ),
        )

    def warm(self) -> None:
        """Load what the first search would otherwise wait for."""
        if self._encoder is not None:
            self._encoder.embed_query("warm")
        self._names.known(["Nat"])
        self._index.matching(["nat"], 1, RetrievalFilters())
        if self._tuning.rescoring.enabled:
            self._index.facts()

    def candidates(self, query: Query, filters: RetrievalFilters, least: int = 0) -> Candidates:
        """What the two channels find for one query.

        Args:
            query: as prepared.
            filters: hold for every candidate.
            least: candidates per channel, where the tuning does not want more.
        """
        pool = self._tuning.pool
        lexical = self._index.matching(query.terms, max(pool.lexical, least), filters)
        vector, dense = None, []
        if self._encoder is not None:
            vector = self._encoder.embed_query(query.text)
            dense = self._index.nearest(vector, max(pool.dense, least), filters)
        return Candidates(query, vector, lexical, dense)

    def _collect(self, pool: _Pool, query: Query, request: RetrievalRequest) -> None:
        fusion = self._tuning.fusion
        named = self._named(pool, query, request)
        same = self._same(query, request.filters)
        candidates = self.candidates(query, request.filters, request.n_candidates)
        candidates.further = [*named, *same]
        pool.keep(candidates)
        if self._tuning.rescoring.enabled:
            scores = self._rescorer.scores(candidates)
            pool.lists.append((sorted(scores, key=lambda o: -scores[o]), 1.0))
        else:
            pool.lists.append(([p.order for p in candidates.dense], fusion.dense))
            pool.lists.append(([p.order for p in candidates.lexical], fusion.lexical))
        pool.lists.append((same, fusion.certain))
        if request.mode == "error":
            pool.first.extend(o for o in named if o not in pool.first)
        else:
            pool.lists.append((named, fusion.certain))

    def _named(self, pool: _Pool, query: Query, request: RetrievalRequest) -> list[int]:
        """Declarations that the query names, each after what stands for it today."""
        names = self._names.known(query.identifiers)
        if request.mode == "error":
            for identifier in query.identifiers:
                names += self._names.closest(identifier, self._tuning.result.closest_names)
        rows = self._index.named(names, request.filters) if names else []
        successors = [row.successor for row in rows if row.successor and row.deprecated]
        known = {row.decl_name: row for row in rows}
        missing = [name for name in successors if name not in known]
        known.update((r.decl_name, r) for r in self._index.named(missing, request.filters))
        ordered: list[DeclarationRow] = []
        for row in rows:
            stands_for_it = known.get(row.successor) if row.deprecated else None
            ordered.extend(filter(None, (stands_for_it, row)))
        return list(dict.fromkeys(row.order for row in ordered))

    def _same(self, query: Query, filters: RetrievalFilters) -> list[int]:
        """Declarations that say what the query states, up to the names of variables."""
        if not query.shapes:
            return []
        found = self._index.sparse(query.shapes, _SAME, filters)
        return [hit.row.order for hit in found if _states(hit.row, query)]

    def _ranked(self, pool: _Pool, request: RetrievalRequest) -> list[_Found]:
        tuning = self._tuning
        boost = 0.0 if tuning.rescoring.enabled else tuning.fusion.popularity
        popularity = self._index.facts().priors.popularity if boost and pool.found else None
        for order, score in fused_scores(pool.lists, tuning.fusion.k).items():
            spoken_of = float(popularity[order]) if popularity is not None else 0.0
            pool.found[order].fused = score * (1 + boost * spoken_of)
        ranked = sorted(pool.found.values(), key=lambda found: -(found.fused or 0.0))
        best = ranked[: tuning.result.rerank_candidates]
        if not (request.rerank and self._reranker is not None and best):
            return ranked
        against = request.rerank_against or request.queries[0]
        texts = [statement_of(row) for row in self._index.rows([f.order for f in best])]
        for found, judged in zip(best, self._reranker.scores(against, texts), strict=True):
            found.rerank = judged
        best.sort(key=lambda found: -(found.rerank or 0.0))
        return best + ranked[len(best) :]

    def _spread(self, first: Sequence[int], ranked: Sequence[_Found]) -> list[_Found]:
        """Those that come first, then the ranked, at most so many of one module."""
        place = {order: number for number, order in enumerate(first)}
        ordered = sorted(ranked, key=lambda f: place.get(f.order, len(place)))
        most = self._tuning.result.max_per_module
        if not most or not ordered:
            return ordered
        modules = self._index.facts().priors.modules
        seen: Counter[int] = Counter()
        kept = []
        for found in ordered:
            module = int(modules[found.order])
            seen[module] += 1
            if seen[module] <= most:
                kept.append(found)
        return kept


def disabled_result() -> RetrievalResult:
    """The result of a retrieval that is switched off: empty, and the trace says so."""
    return RetrievalResult(trace=RetrievalTrace(versions=VersionsPin(index_version=DISABLED)))


def _states(row: DeclarationRow, query: Query) -> bool:
    return not set(query.shapes).isdisjoint(whole_shapes(split_type(row.type)))
