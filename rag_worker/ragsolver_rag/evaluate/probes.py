"""What an index can be asked about itself: is its vector search exact, are names found again.

Nothing of a benchmark is needed: questions and names come from the corpus.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from ragsolver_contracts.retrieval import RetrievalContext, RetrievalFilters, RetrievalRequest
from ragsolver_rag.index import DeclarationRow, Index, Place, Vector

DEPTH = 50
"""Nearest neighbours that are compared."""
_SHORTEST_NAME = 6
"""Letters of a last component from which one is left out."""
_MOST_STEPS = 5

Nearest = Callable[[Vector, int, RetrievalFilters], Sequence[Place]]
Names = Callable[[RetrievalRequest], Sequence[str]]


class NamesFound(BaseModel):
    """How often what was meant by a name comes first, or among the first five."""

    model_config = ConfigDict(frozen=True)

    asked: int
    first: float
    among_five: float
    missed: tuple[tuple[str, str, str], ...] = ()
    """Some that did not come first: name asked, name wanted, name that came first."""


class Probed(BaseModel):
    """What was found out about an index."""

    model_config = ConfigDict(frozen=True)

    index_version: str
    declarations: int
    queries: int
    recall_at_50: Mapping[str, float]
    """By vector column: share of the true fifty nearest that the vector index finds."""
    names: Mapping[str, NamesFound]
    """In `error` mode, by kind of name: `known`, `misspelt`, `deprecated`."""


def recall(nearest: Nearest, exact: Nearest, queries: Iterable[Vector]) -> float:
    """Mean share of the `DEPTH` nearest that an approximate search finds, too."""
    shares = []
    for query in queries:
        wanted = {place.order for place in exact(query, DEPTH, RetrievalFilters())}
        found = {place.order for place in nearest(query, DEPTH, RetrievalFilters())}
        shares.append(len(wanted & found) / max(len(wanted), 1))
    return float(np.mean(shares)) if shares else 0.0


def exact_by_meaning(index: Index) -> Nearest:
    """Every declaration's learned vector is compared."""
    meanings = index.meanings()
    if meanings is None:
        return lambda *_: []
    vectors = meanings.declarations.astype(np.float32)

    def _exact(query: Vector, limit: int, filters: RetrievalFilters) -> list[Place]:
        del filters
        scores = vectors @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [Place(int(order), float(scores[order])) for order in best]

    return _exact


def name_questions(
    rows: Sequence[DeclarationRow], count: int, seed: int
) -> dict[str, list[tuple[str, str]]]:
    """Names as messages of Lean complain about them, each with the name that is meant.

    Args:
        rows: the corpus.
        count: at most so many of each kind.
        seed: which ones.
    """
    draw = random.Random(seed)  # noqa: S311 - a sample
    by_name = {row.decl_name: row for row in rows}
    known = [r.decl_name for r in rows if r.docstring and not r.origin and not r.deprecated]
    old = [r.decl_name for r in rows if r.deprecated and _today(r, by_name) != r.decl_name]
    chosen = draw.sample(known, min(count, len(known)))
    long = [name for name in chosen if len(name.rpartition(".")[2]) >= _SHORTEST_NAME]
    misspelt = [(_misspelt(name, draw), name) for name in long]
    return {
        "known": [(name, name) for name in chosen],
        "misspelt": [(wrong, name) for wrong, name in misspelt if wrong not in by_name],
        "deprecated": [
            (name, _today(by_name[name], by_name))
            for name in draw.sample(old, min(count, len(old)))
        ],
    }


def names_found(search: Names, asked: Sequence[tuple[str, str]]) -> NamesFound:
    """Ask in `error` mode for each name."""
    ranks, missed = [], []
    for name, wanted in asked:
        request = RetrievalRequest(
            queries=(f"unknown identifier '{name}'",),
            mode="error",
            k=5,
            context=RetrievalContext(problem_id="", agent="evaluation"),
        )
        found = list(search(request))
        ranks.append(found.index(wanted) if wanted in found else len(found) + 5)
        if ranks[-1]:
            missed.append((name, wanted, found[0] if found else ""))
    return NamesFound(
        asked=len(asked),
        first=float(np.mean([rank == 0 for rank in ranks])) if ranks else 0.0,
        among_five=float(np.mean([rank < 5 for rank in ranks])) if ranks else 0.0,
        missed=tuple(missed[:10]),
    )


def _today(row: DeclarationRow, by_name: Mapping[str, DeclarationRow]) -> str:
    """The name that stands for a declaration today."""
    for _ in range(_MOST_STEPS):
        if not row.deprecated or row.successor not in by_name:
            break
        row = by_name[row.successor]
    return row.decl_name


def _misspelt(name: str, draw: random.Random) -> str:
    """The name with one letter of its last component left out."""
    namespace, dot, last = name.rpartition(".")
    at = draw.randrange(1, len(last))
    return f"{namespace}{dot}{last[:at]}{last[at + 1 :]}"
