"""Reciprocal rank fusion: several ranked lists made into one."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def reciprocal_rank_fusion(lists: Sequence[tuple[Sequence[Key], float]], k: float) -> list[Key]:
    """Keys of all lists, best fused score first; see `fused_scores`."""
    scores = fused_scores(lists, k)
    return sorted(scores, key=lambda key: -scores[key])


def fused_scores(lists: Sequence[tuple[Sequence[Key], float]], k: float) -> Mapping[Key, float]:
    """Score of each key: the sum over lists of `weight / (k + rank)`, rank from 1.

    A key that a list does not hold gets nothing from it; a key that a list repeats counts once,
    at its best rank. Equal scores keep the order of first appearance.

    Args:
        lists: pairs of keys (best first) and weight (not negative).
        k: damping; the smaller, the more the first ranks count. Not negative.

    Raises:
        ValueError: `k` or a weight is negative.
    """
    if k < 0 or any(weight < 0 for _, weight in lists):
        raise ValueError("k and weights must not be negative")
    scores: dict[Key, float] = {}
    for keys, weight in lists:
        for rank, key in enumerate(dict.fromkeys(keys), start=1):
            scores[key] = scores.get(key, 0.0) + weight / (k + rank)
    return scores
