"""A benchmark asked of the search, under several variants, and what became of every query."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest
from ragsolver_rag.evaluate.benchmarks import Case
from ragsolver_rag.evaluate.metrics import group_measures, query_measures
from ragsolver_rag.search import Search
from ragsolver_rag.tuning import RescoringTuning, Tuning

Variant = Literal[
    "dense", "lexical", "learned", "hybrid", "lexical+rerank", "words+rerank", "hybrid+rerank"
]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""`dense`, `lexical`, `learned`: one channel, by the encoder, by BM25, by the meanings that were
learned from the corpus; `words`: the latter two; `hybrid`: all, by rank fusion; with `+rerank`
also the second stage, and the cross-encoder where one is configured."""

Cause = Literal["", "not in the corpus", "no candidate", "ranked low"]

_DEPTH = 100
"""Hits that are looked at."""

OnDone = Callable[[int, int], None]


class Outcome(BaseModel):
    """What became of one query."""

    model_config = ConfigDict(frozen=True)

    case_id: str
    query: str
    style: str
    kind: str
    difficulty: str
    answers: tuple[tuple[str, ...], ...]
    ranks: tuple[int | None, ...]
    """Best rank of each group, from 1; none: not within the hits looked at."""
    cause: Cause
    """Why not all groups are within ten; empty: they are."""
    best: tuple[str, ...]
    """The first hits."""
    measures: Mapping[str, float]
    latency_ms: float


@dataclass(frozen=True)
class Asked:
    """How a variant is asked."""

    tuning: Tuning
    rerank: bool
    dense: bool


def variant_tuning(variant: Variant, tuning: Tuning) -> Asked:
    """What a variant changes of the tuning."""
    channels, _, second = variant.partition("+")
    dense = channels in {"dense", "hybrid"}
    pool, fusion, rescoring = tuning.pool, tuning.fusion, tuning.rescoring
    if channels in {"dense", "lexical"}:
        pool = pool.model_copy(update={"akin": 0})
        rescoring = without_features(rescoring, "meaning")
    if not second:
        rescoring = rescoring.model_copy(update={"enabled": False})
        if channels != "hybrid":
            fusion = fusion.model_copy(update={"popularity": 0.0})
        if channels in {"dense", "learned"}:
            fusion = fusion.model_copy(update={"lexical": 0.0})
    changed = {"pool": pool, "fusion": fusion, "rescoring": rescoring}
    return Asked(tuning.model_copy(update=changed), rerank=bool(second), dense=dense)


def without_features(rescoring: RescoringTuning, *beginnings: str) -> RescoringTuning:
    """Without the weights of the features whose names begin so."""
    weights = {n: w for n, w in rescoring.weights.items() if not n.startswith(beginnings)}
    return rescoring.model_copy(update={"weights": weights})


def run_cases(
    search: Search,
    cases: Sequence[Case],
    known: frozenset[str],
    *,
    rerank: bool,
    on_done: OnDone = lambda *_: None,
) -> list[Outcome]:
    """Ask every case, one after the other.

    Args:
        search: what is measured.
        cases: the benchmark.
        known: names of the corpus.
        rerank: whether a cross-encoder may judge.
        on_done: progress.
    """
    outcomes = []
    for number, case in enumerate(cases, start=1):
        request = RetrievalRequest(
            queries=(case.query,),
            mode=case.mode,
            k=_DEPTH,
            n_candidates=_DEPTH,
            rerank=rerank,
            context=RetrievalContext(problem_id=case.case_id, agent="evaluation"),
        )
        began = time.perf_counter()
        names = [hit.citation.label for hit in search.search(request).hits]
        elapsed = (time.perf_counter() - began) * 1000
        outcomes.append(outcome(case, names, known, elapsed))
        on_done(number, len(cases))
    return outcomes


def outcome(case: Case, names: Sequence[str], known: frozenset[str], elapsed_ms: float) -> Outcome:
    """What became of a case whose hits have these names."""
    place = {name: rank for rank, name in reversed(list(enumerate(names, start=1)))}
    ranks = tuple(
        min((place[name] for name in group if name in place), default=None)
        for group in case.groups
    )
    measures = group_measures(ranks) if case.grouped else query_measures(ranks[0])
    return Outcome(
        case_id=case.case_id,
        query=case.query,
        style=case.style,
        kind=case.kind,
        difficulty=case.difficulty,
        answers=case.groups,
        ranks=ranks,
        cause=_cause(case, ranks, known),
        best=tuple(names[:5]),
        measures=measures,
        latency_ms=round(elapsed_ms, 2),
    )


def _cause(case: Case, ranks: Sequence[int | None], known: frozenset[str]) -> Cause:
    if all(rank is not None and rank <= 10 for rank in ranks):
        return ""
    lost = [g for g, r in zip(case.groups, ranks, strict=True) if r is None]
    if any(not any(name in known for name in group) for group in lost):
        return "not in the corpus"
    return "no candidate" if lost else "ranked low"
