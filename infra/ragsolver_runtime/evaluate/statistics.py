"""The statistics of an evaluation, by exact formulas; no package is needed for them."""

import math
import random
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

RESAMPLES = 4_000
"""Resamples of a bootstrap: the ends of an interval are then stable to about half a point."""
_SEED = 20210707


class Interval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


def pass_at_k(samples: int, passed: int, k: int) -> float:
    """Chance that one of k samples passes, estimated without bias from more than k of them.

    1 - C(n - c, k) / C(n, k): Chen et al., Evaluating Large Language Models Trained on Code
    (2021), section 2.1.

    Args:
        samples: all samples of one problem.
        passed: those that passed.
        k: at most `samples`.

    Raises:
        ValueError: k is not between 1 and `samples`, or more passed than there were.
    """
    if not 1 <= k <= samples or not 0 <= passed <= samples:
        raise ValueError(f"pass@{k} of {passed} among {samples} samples is not defined")
    return 1.0 - math.comb(samples - passed, k) / math.comb(samples, k)


def wilson(share: float, count: int, level: float = 0.95) -> Interval:
    """Score interval of a share (Wilson, 1927).

    Args:
        share: 0 to 1; with repetitions the mean over problems.
        count: independent units: problems, never problems times repetitions.
        level: coverage.
    """
    if count <= 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    weight = 1 + z * z / count
    middle = (share + z * z / (2 * count)) / weight
    spread = share * (1 - share) / count + z * z / (4 * count * count)
    half = z * math.sqrt(max(0.0, spread)) / weight
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def mcnemar(worse: int, better: int) -> float:
    """Two-sided exact p-value of McNemar's test: a sign test over the discordant pairs.

    Args:
        worse: pairs that only the baseline passed.
        better: pairs that only the other passed.
    """
    discordant = worse + better
    tail = sum(math.comb(discordant, i) for i in range(min(worse, better) + 1))
    chance: float = 2 * tail / 2**discordant
    return min(1.0, chance)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for their number (Holm, 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def bootstrap(values: Sequence[float], level: float = 0.95) -> Interval | None:
    """Percentile interval of a mean, its units drawn again; the same values, the same interval.

    Args:
        values: one per cluster, that is per problem: what is repeated on a problem stays together.
        level: coverage.
    """
    if not values:
        return None
    draw, count = random.Random(_SEED), len(values)  # noqa: S311 - a repeatable draw is meant
    means = sorted(sum(draw.choices(values, k=count)) / count for _ in range(RESAMPLES))
    tail = (1 - level) / 2
    return Interval(quantile(means, tail), quantile(means, 1 - tail))


def quantile(ordered: Sequence[float], share: float) -> float:
    """Quantile of ascending values, linear between neighbours.

    Raises:
        ValueError: there are no values.
    """
    if not ordered:
        raise ValueError("no values have no quantile")
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
