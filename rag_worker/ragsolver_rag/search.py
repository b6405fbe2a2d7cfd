"""The one search of all modes.

Query templates; per query the nearest by embedding and the best by BM25; a second stage that
weighs what speaks for each candidate, or reciprocal rank fusion alone; fusion over the queries; a
cross-encoder on the best of them, where one is configured; at most so many per module; the top k,
cited. In `error` mode the identifiers of the message come first: themselves where they exist,
otherwise the names most like them. No language model is ever asked.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from ragsolver_rag.index import DeclarationRow, Index, Place, Vector
from ragsolver_rag.names import NameIndex
from ragsolver_rag.queries import Query, prepare
from ragsolver_rag.ranking import Candidates, Rescorer, meaning_of
from ragsolver_rag.rerank import Reranker
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.shape import whole_shapes
from ragsolver_rag.statement import split_type
from ragsolver_rag.tuning import Tuning

DISABLED = "disabled"
"""Index version of a result that was not looked for, because retrieval is off."""

_MOST_STEPS = 5
"""Names that may have stood for a name one after the other."""
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


class _Pool:
    """Everything that the channels found, and their ranked lists."""

    def __init__(self) -> None:
        self.orders: dict[int, None] = {}
        """Every candidate, in the order in which they were found."""
        self.dense: dict[int, float] = {}
        self.sparse: dict[int, float] = {}
        self.fused: dict[int, float] = {}
        self.rerank: dict[int, float] = {}
        self.lists: list[tuple[list[int], float]] = []
        self.first: list[int] = []
        """Declarations that come before all others."""

    def keep(self, candidates: Candidates) -> None:
        self.orders.update(dict.fromkeys(candidates.orders))
        for known, found in ((self.dense, candidates.dense), (self.sparse, candidates.lexical)):
            for order, score in found:
                known[order] = max(score, known.get(order, score))

    def scores(self, order: int) -> CitationScores:
        return CitationScores(
            dense=self.dense.get(order),
            sparse=self.sparse.get(order),
            fused=self.fused.get(order),
            rerank=self.rerank.get(order),
        )


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
            queries = [prepare(asked, request.mode) for asked in request.queries]
            least = request.n_candidates
            for candidates in self._of_all(queries, request.filters, least):
                self._collect(pool, candidates, request)
        ranked = self._ranked(pool, request)
        chosen = self._spread(pool.first, ranked)[: request.k]
        scored = [(row, pool.scores(row.order)) for row in self._index.rows(chosen)]
        hits = declaration_hits(scored, request.context, cited or {}, self._settings.docs_url)
        versions = self._versions
        if request.rerank and self._reranker is not None:
            versions = versions.model_copy(update={"reranker_model": self._reranker.name})
        return RetrievalResult(
            hits=hits,
            citations=[hit.citation for hit in hits],
            trace=RetrievalTrace(
                latency_ms=round((time.perf_counter() - began) * 1000, 2),
                n_candidates=len(pool.orders),
                versions=versions,
            ),
        )

    def warm(self) -> None:
        """Load what the first search would otherwise wait for."""
        if self._encoder is not None:
            self._encoder.embed_queries(["warm"])
        self._names.known(["Nat"])
        self._index.rows([0])
        self._index.matching(["nat"], 1, RetrievalFilters())
        if self._tuning.rescoring.enabled:
            self._index.facts()
        if self._tuning.pool.akin:
            self._index.meanings()

    def candidates(self, query: Query, filters: RetrievalFilters, least: int = 0) -> Candidates:
        """What the two channels find for one query.

        Args:
            query: as prepared.
            filters: hold for every candidate.
            least: candidates per channel, where the tuning does not want more.
        """
        return next(self._of_all([query], filters, least))

    def _of_all(
        self, queries: Sequence[Query], filters: RetrievalFilters, least: int
    ) -> Iterator[Candidates]:
        """Candidates of each query; words are looked up while the queries are embedded."""
        pool, most = self._tuning.pool, max(self._tuning.pool.lexical, least)
        asked = [query.terms if pool.lexical else () for query in queries]
        begun = [self._index.begin_matching(terms, most, filters) for terms in asked]
        vectors: Sequence[Vector | None] = [None] * len(queries)
        if self._encoder is not None:
            vectors = self._encoder.embed_queries([query.text for query in queries])
        for query, vector, matching in zip(queries, vectors, begun, strict=True):
            dense: list[Place] = []
            if vector is not None and pool.dense:
                dense = self._index.nearest(vector, max(pool.dense, least), filters)
            akin = self._akin(query, filters, least)
            yield Candidates(query, vector, matching(), dense, akin)

    def _akin(self, query: Query, filters: RetrievalFilters, least: int) -> list[Place]:
        """Nearest by what was learned of the words."""
        index, wanted = self._index, self._tuning.pool.akin
        meanings = index.meanings() if wanted else None
        vector = meaning_of(meanings, index.facts(), query) if meanings is not None else None
        return index.akin(vector, max(wanted, least), filters) if vector is not None else []

    def _collect(self, pool: _Pool, candidates: Candidates, request: RetrievalRequest) -> None:
        fusion, query = self._tuning.fusion, candidates.query
        named = self._named(query, request)
        same = self._same(query, request.filters)
        candidates.further = [*named, *same]
        pool.keep(candidates)
        if self._tuning.rescoring.enabled:
            scores = self._rescorer.scores(candidates)
            pool.lists.append((sorted(scores, key=lambda o: -scores[o]), 1.0))
        else:
            pool.lists.append(([p.order for p in candidates.dense], fusion.dense))
            pool.lists.append(([p.order for p in candidates.lexical], fusion.lexical))
            pool.lists.append(([p.order for p in candidates.akin], fusion.akin))
        pool.lists.append((same, fusion.certain))
        if request.mode == "error":
            pool.first.extend(o for o in named if o not in pool.first)
        else:
            pool.lists.append((named, fusion.certain))

    def _named(self, query: Query, request: RetrievalRequest) -> list[int]:
        """Declarations that the query names, each after what stands for it today."""
        names = self._names.known(query.identifiers)
        if request.mode == "error":
            for identifier in query.identifiers:
                names += self._names.closest(identifier, self._tuning.result.closest_names)
        rows = self._index.named(names, request.filters) if names else []
        known = {row.decl_name: row for row in rows}
        self._add_successors(known, request.filters)
        ordered: list[DeclarationRow] = []
        for row in rows:
            ordered.extend((_today(row, known), row))
        return list(dict.fromkeys(row.order for row in ordered))

    def _add_successors(self, known: dict[str, DeclarationRow], filters: RetrievalFilters) -> None:
        """What stands for the deprecated ones, and for these in turn."""
        for _ in range(_MOST_STEPS):
            successors = {row.successor for row in known.values() if row.deprecated}
            missing = sorted(successors - set(known) - {""})
            found = self._index.named(missing, filters) if missing else []
            if not found:
                return
            known.update((row.decl_name, row) for row in found)

    def _same(self, query: Query, filters: RetrievalFilters) -> list[int]:
        """Declarations that say what the query states, up to the names of variables."""
        if not query.shapes:
            return []
        found = self._index.sparse(query.shapes, _SAME, filters)
        return [hit.row.order for hit in found if _states(hit.row, query)]

    def _ranked(self, pool: _Pool, request: RetrievalRequest) -> list[int]:
        tuning = self._tuning
        pool.fused = dict(fused_scores(pool.lists, tuning.fusion.k))
        boost = 0.0 if tuning.rescoring.enabled else tuning.fusion.popularity
        if boost and pool.orders:
            popularity = self._index.facts().priors.popularity
            pool.fused = {o: s * (1 + boost * float(popularity[o])) for o, s in pool.fused.items()}
        fused = pool.fused
        ranked = sorted(pool.orders, key=lambda order: -fused.get(order, 0.0))
        best = ranked[: tuning.result.rerank_candidates]
        if not (request.rerank and self._reranker is not None and best):
            return ranked
        against = request.rerank_against or request.queries[0]
        texts = [statement_of(row) for row in self._index.rows(best)]
        pool.rerank = dict(zip(best, self._reranker.scores(against, texts), strict=True))
        best.sort(key=lambda order: -pool.rerank[order])
        return best + ranked[len(best) :]

    def _spread(self, first: Sequence[int], ranked: Sequence[int]) -> list[int]:
        """Those that come first, then the ranked, at most so many of one module."""
        place = {order: number for number, order in enumerate(first)}
        ordered = sorted(ranked, key=lambda o: place.get(o, len(place))) if place else ranked
        most = self._tuning.result.max_per_module
        if not most or not ordered:
            return list(ordered)
        modules = self._index.facts().priors.modules
        seen: Counter[int] = Counter()
        kept = []
        for order in ordered:
            module = int(modules[order])
            seen[module] += 1
            if seen[module] <= most:
                kept.append(order)
        return kept


def disabled_result() -> RetrievalResult:
    """The result of a retrieval that is switched off: empty, and the trace says so."""
    return RetrievalResult(trace=RetrievalTrace(versions=VersionsPin(index_version=DISABLED)))


def _today(row: DeclarationRow, known: Mapping[str, DeclarationRow]) -> DeclarationRow:
    """What stands for a declaration today; itself where nothing does."""
    for _ in range(_MOST_STEPS):
        if not row.deprecated or row.successor not in known:
            break
        row = known[row.successor]
    return row


def _states(row: DeclarationRow, query: Query) -> bool:
    return not set(query.shapes).isdisjoint(whole_shapes(split_type(row.type)))
