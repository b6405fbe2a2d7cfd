"""The one search of all modes.

Query templates; per query the nearest by embedding and the best by BM25; reciprocal rank fusion;
a reranker on the best of them, where one is configured; at most so many per module; the top k,
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
    Hit,
    RetrievalFilters,
    RetrievalRequest,
    RetrievalResult,
    RetrievalTrace,
    VersionsPin,
)
from ragsolver_rag.cite import citation_ids, cite_declaration, statement_of
from ragsolver_rag.embed import Encoder
from ragsolver_rag.fuse import fused_scores
from ragsolver_rag.index import MATHLIB_UNIT, DeclarationRow, Index, Scored
from ragsolver_rag.names import NameIndex
from ragsolver_rag.queries import Query, prepare
from ragsolver_rag.rerank import Reranker
from ragsolver_rag.settings import RetrieverSettings
from ragsolver_rag.shape import whole_shapes
from ragsolver_rag.statement import split_type

DISABLED = "disabled"
"""Index version of a result that was not looked for, because retrieval is off."""

_CERTAIN_WEIGHT = 2.0
"""Weight of declarations that a query names or states, beside the two channels."""


@dataclass
class _Found:
    """A candidate and how each stage scored it."""

    row: DeclarationRow
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

    found: dict[str, _Found] = field(default_factory=dict)
    lists: list[tuple[list[str], float]] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    """Chunks that come before all others."""

    def entry(self, row: DeclarationRow) -> _Found:
        return self.found.setdefault(row.chunk_id, _Found(row))


class Search:
    """Answers retrieval requests from one index; safe to call from several threads."""

    def __init__(
        self,
        index: Index,
        encoder: Encoder,
        *,
        settings: RetrieverSettings,
        versions: VersionsPin,
        reranker: Reranker | None = None,
    ) -> None:
        """Keep the parts.

        Args:
            index: the formal corpus.
            encoder: must be the one whose vectors the index holds.
            settings: weights and limits.
            versions: what every result is stamped with.
            reranker: judges the best candidates of requests that ask for it.
        """
        self._index = index
        self._encoder = encoder
        self._settings = settings
        self._versions = versions
        self._reranker = reranker
        self._names = NameIndex(index.names)

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
        hits = self._hits(chosen, request, cited or {})
        reranked = request.rerank and self._reranker is not None
        versions = self._versions
        if reranked and self._reranker is not None:
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
        self._encoder.embed_query("warm")
        self._names.known(["Nat"])
        self._index.sparse(["nat"], 1, RetrievalFilters())

    def _collect(self, pool: _Pool, query: Query, request: RetrievalRequest) -> None:
        filters, limit = request.filters, request.n_candidates
        self._collect_named(pool, query, request)
        dense = self._index.dense(self._encoder.embed_query(query.text), limit, filters)
        for hit in dense:
            entry = pool.entry(hit.row)
            entry.dense = max(hit.score, entry.dense if entry.dense is not None else hit.score)
        sparse = self._index.sparse(query.terms, limit, filters)
        for hit in sparse:
            entry = pool.entry(hit.row)
            entry.sparse = max(hit.score, entry.sparse or hit.score)
        pool.lists.append((_chunks(dense), self._settings.dense_weight))
        pool.lists.append((_chunks(sparse), self._settings.sparse_weight))
        same = [hit for hit in (*sparse, *dense) if _states(hit.row, query)]
        pool.lists.append((_chunks(same), _CERTAIN_WEIGHT))

    def _collect_named(self, pool: _Pool, query: Query, request: RetrievalRequest) -> None:
        """Declarations that the query names; in `error` mode before all others."""
        names = self._names.known(query.identifiers)
        if request.mode == "error":
            for identifier in query.identifiers:
                names += self._names.closest(identifier, self._settings.closest_names)
        rows = self._index.named(names, request.filters) if names else []
        for row in rows:
            pool.entry(row)
        chunks = [row.chunk_id for row in rows]
        if request.mode == "error":
            pool.first.extend(c for c in chunks if c not in pool.first)
        elif chunks:
            pool.lists.append((chunks, _CERTAIN_WEIGHT))

    def _ranked(self, pool: _Pool, request: RetrievalRequest) -> list[_Found]:
        for chunk, score in fused_scores(pool.lists, self._settings.rrf_k).items():
            found = pool.found[chunk]
            found.fused = score * (1 + self._settings.popularity_weight * found.row.popularity)
        ranked = sorted(pool.found.values(), key=lambda found: -(found.fused or 0.0))
        best = ranked[: self._settings.rerank_candidates]
        if not (request.rerank and self._reranker is not None and best):
            return ranked
        against = request.rerank_against or request.queries[0]
        texts = [statement_of(found.row) for found in best]
        for found, score in zip(best, self._reranker.scores(against, texts), strict=True):
            found.rerank = score
        best.sort(key=lambda found: -(found.rerank or 0.0))
        return best + ranked[len(best) :]

    def _spread(self, first: Sequence[str], ranked: Sequence[_Found]) -> list[_Found]:
        """Those that come first, then the ranked, at most so many of one module."""
        place = {chunk: number for number, chunk in enumerate(first)}
        ordered = sorted(ranked, key=lambda f: place.get(f.row.chunk_id, len(place)))
        most = self._settings.max_per_module
        if not most:
            return ordered
        seen: Counter[str] = Counter()
        kept = []
        for found in ordered:
            seen[found.row.module_path] += 1
            if seen[found.row.module_path] <= most:
                kept.append(found)
        return kept

    def _hits(
        self, chosen: Sequence[_Found], request: RetrievalRequest, cited: Mapping[str, Citation]
    ) -> list[Hit]:
        ids = citation_ids([found.row.chunk_id for found in chosen], "mathlib", cited)
        hits = []
        for rank, found in enumerate(chosen, start=1):
            row = found.row
            citation = cite_declaration(
                row, ids[row.chunk_id], found.scores, request.context, self._settings.docs_url
            )
            metadata = {
                "decl_name": row.decl_name,
                "kind": row.kind,
                "signature": row.signature,
                "module_path": row.module_path,
            }
            if row.docstring:
                metadata["docstring"] = row.docstring
            hits.append(
                Hit(
                    chunk_id=row.chunk_id,
                    corpus="mathlib",
                    unit_type=MATHLIB_UNIT,
                    rank=rank,
                    text=statement_of(row),
                    metadata=metadata,
                    citation=citation,
                )
            )
        return hits


def disabled_result() -> RetrievalResult:
    """The result of a retrieval that is switched off: empty, and the trace says so."""
    return RetrievalResult(trace=RetrievalTrace(versions=VersionsPin(index_version=DISABLED)))


def _states(row: DeclarationRow, query: Query) -> bool:
    """Whether a declaration says what the query states, up to the names of variables."""
    return bool(query.shapes) and not set(query.shapes).isdisjoint(
        whole_shapes(split_type(row.type))
    )


def _chunks(scored: Sequence[Scored]) -> list[str]:
    return [hit.row.chunk_id for hit in scored]
