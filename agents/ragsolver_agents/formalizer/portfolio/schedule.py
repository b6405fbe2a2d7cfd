"""Which scripts first: by expected proofs per second of Lean, from experience.

A script's chance is estimated by shrinking the experience with the statement's shape towards that
with all shapes, and that towards a cautious guess (an empirical Bayes estimate of a proportion);
its time is the mean with a surcharge for tries that had to be killed. Scripts are ordered by
chance over time. A stage is worth what its best beginning is worth: the chance that one of its
first k scripts proves the statement, over their time together, at the best k.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ragsolver_agents.formalizer.portfolio.script import Script
from ragsolver_agents.formalizer.portfolio.shape import strategy_key
from ragsolver_contracts.run_config import Experience

GUESS = 0.05
"""Chance of a strategy that was never tried."""
GUESS_WEIGHT = 2.0
"""Tries that the guess counts for."""
ALL_WEIGHT = 4.0
"""Tries that the experience with all shapes counts for."""
GUESSED_MS: Mapping[int, float] = MappingProxyType({1: 150.0, 2: 600.0, 3: 4_000.0})
"""Time of a strategy that was never tried, by its family's cost."""
KILL_MS = 8_000.0
"""What a killed process costs beyond its own time: another must start."""


@dataclass(frozen=True)
class Expected:
    """What is expected of one script."""

    success: float
    """Chance of acceptance."""
    ms: float
    """Milliseconds of Lean, kills included."""

    @property
    def worth(self) -> float:
        """Expected proofs per second."""
        return 1_000 * self.success / self.ms


@dataclass(frozen=True)
class _Sum:
    tries: int = 0
    accepted: int = 0
    ms: float = 0.0
    killed: int = 0

    def with_(self, item: Experience) -> "_Sum":
        return _Sum(
            self.tries + item.tries,
            self.accepted + item.accepted,
            self.ms + item.mean_ms * item.tries,
            self.killed + item.killed,
        )


class Schedule:
    """Expectations for statements of one shape."""

    def __init__(self, experience: Iterable[Experience], shape: str) -> None:
        """Experience with every shape, and the shape that is asked about."""
        self._all: dict[str, _Sum] = {}
        self._here: dict[str, _Sum] = {}
        for item in experience:
            self._all[item.strategy] = self._all.get(item.strategy, _Sum()).with_(item)
            if item.shape == shape:
                self._here[item.strategy] = self._here.get(item.strategy, _Sum()).with_(item)

    def expected(self, script: Script, cost: int) -> Expected:
        """What is expected of a script.

        Args:
            script: the script.
            cost: its family's cost, 1 to 3.
        """
        key = strategy_key(script.strategy)
        every, here = self._all.get(key, _Sum()), self._here.get(key, _Sum())
        base = (every.accepted + GUESS * GUESS_WEIGHT) / (every.tries + GUESS_WEIGHT)
        success = (here.accepted + base * ALL_WEIGHT) / (here.tries + ALL_WEIGHT)
        guessed = GUESSED_MS[cost]
        ms = (every.ms + KILL_MS * every.killed + guessed) / (every.tries + 1)
        return Expected(success, max(ms, 1.0))


def best_first(
    scripts: Sequence[tuple[Script, Expected]],
) -> tuple[tuple[Script, Expected], ...]:
    """Scripts by their worth, equal ones as they stood."""
    return tuple(sorted(scripts, key=lambda item: -item[1].worth))


def worth(ordered: Iterable[Expected]) -> float:
    """Expected proofs per second of the best beginning of an ordered stage; 0 for an empty one."""
    best, failed, spent = 0.0, 1.0, 0.0
    for item in ordered:
        failed *= 1 - item.success
        spent += item.ms
        best = max(best, 1_000 * (1 - failed) / spent)
    return best
