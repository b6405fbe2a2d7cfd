"""A benchmark asked of the search, under several variants, and what became of every query."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalRequest
from ragsolver_rag.evaluate.benchmarks import Case
from ragsolver_rag.evaluate.metrics import group_measures, query_measures
from ragsolver_rag.search import Search
from ragsolver_rag.tuning import Tuning

Variant = Literal["dense", "lexical", "hybrid", "lexical+rerank", "hybrid+rerank"]
VARIANTS: tuple[Variant, ...] = ("dense", "lexical", "hybrid", "lexical+rerank", "hybrid+rerank")
"""`dense` and `lexical`: one channel; `hybrid`: both by rank fusion; with `+rerank` also the
second stage, and the cross-encoder where one is configured."""

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
    dense = not variant.startswith("lexical")
    if variant.endswith("+rerank"):
        return Asked(tuning, rerank=True, dense=dense)
    fusion = tuning.fusion
    if variant != "hybrid":
        fusion = fusion.model_copy(update={"popularity": 0.0})
    if variant == "dense":
        fusion = fusion.model_copy(update={"lexical": 0.0})
    plain = tuning.rescoring.model_copy(update={"enabled": False})
    changed = tuning.model_copy(update={"fusion": fusion, "rescoring": plain})
    return Asked(changed, rerank=False, dense=dense)


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
