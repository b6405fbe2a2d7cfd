"""Measures of a ranking, and how sure one may be of them.

Definitions of the paper of LeanSearch v2 (arXiv 2605.13137): one right declaration per query, by
exact name; nDCG@10 is `1 / log2(rank + 1)` within ten, else 0; an answer that is not in the
corpus counts 0.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

_DRAWS = 2000
_SEED = 17
CUTS = (1, 8, 10, 20)
GROUP_CUTS = (8, 10, 20, 50)


def ndcg_at_10(rank: int | None) -> float:
    """`1 / log2(rank + 1)` for a rank (from 1) within ten, else 0."""
    return 1 / math.log2(rank + 1) if rank is not None and rank <= 10 else 0.0


def query_measures(rank: int | None) -> dict[str, float]:
    """All measures of one query with one right answer.

    Args:
        rank: of the answer, from 1; none: not found.
    """
    found = {"nDCG@10": ndcg_at_10(rank), "MRR": 1 / rank if rank is not None else 0.0}
    found.update({f"R@{k}": float(rank is not None and rank <= k) for k in CUTS})
    return found


def group_measures(ranks: Sequence[int | None]) -> dict[str, float]:
    """Share of the groups of one query that are found within so many.

    Args:
        ranks: for each group the best rank of its members.
    """
    return {
        f"group R@{k}": sum(r is not None and r <= k for r in ranks) / len(ranks)
        for k in GROUP_CUTS
    }


def interval(values: Sequence[float]) -> tuple[float, float]:
    """95 % interval of the mean by bootstrap, the same for the same values."""
    if not values:
        return (0.0, 0.0)
    means = _resampled(np.asarray(values, np.float64))
    low, high = np.percentile(means, [2.5, 97.5])
    return (float(low), float(high))


def paired(first: Sequence[float], second: Sequence[float]) -> dict[str, float]:
    """Difference of two means over the same queries, its interval, and how likely chance is.

    Returns:
        `difference` (second minus first), `low` and `high` of its 95 % interval, and `p`: twice
        the share of bootstrap draws in which the difference has the other sign.

    Raises:
        ValueError: not one value of each per query.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values against {len(second)}")
    differences = np.asarray(second, np.float64) - np.asarray(first, np.float64)
    means = _resampled(differences)
    low, high = np.percentile(means, [2.5, 97.5])
    below, above = float(np.mean(means <= 0)), float(np.mean(means >= 0))
    return {
        "difference": float(differences.mean()),
        "low": float(low),
        "high": float(high),
        "p": min(1.0, 2 * min(below, above)),
    }


def mean_of(measured: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Mean of every measure; none of nothing."""
    if not measured:
        return {}
    return {name: float(np.mean([each[name] for each in measured])) for name in measured[0]}


def _resampled(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    draw = np.random.default_rng(_SEED)
    chosen = draw.integers(0, len(values), (_DRAWS, len(values)))
    means: npt.NDArray[np.float64] = values[chosen].mean(axis=1)
    return means
