"""Each configuration against the baseline, paired by problem."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ragsolver_contracts.base import Model
from ragsolver_runtime.evaluate.outcomes import ProblemResult
from ragsolver_runtime.evaluate.statistics import bootstrap, holm, mcnemar

_DIGITS = 6


@dataclass(frozen=True)
class Rate:
    """The counted samples of one problem under one configuration."""

    samples: int
    passed: int

    @property
    def share(self) -> float:
        """Estimate of pass@1 for this problem."""
        return self.passed / self.samples


Rates = Mapping[str, Rate]
"""By problem; a problem without a counted sample is absent."""


class Comparison(Model):
    """One configuration against the baseline."""

    name: str
    baseline: str
    pairs: int
    """Problems with a counted sample in both."""
    difference: float | None
    """Of pass@1 over the pairs, this one minus the baseline."""
    interval: tuple[float, float] | None
    """95 % of the difference, pairs drawn again."""
    better: tuple[str, ...]
    """Problems that it proves more often than the baseline."""
    worse: tuple[str, ...]
    p_value: float
    """Exact McNemar over better and worse; with repetitions a sign test of the problems."""
    p_holm: float
    """Adjusted for the number of comparisons."""


def rates(results: Iterable[ProblemResult]) -> dict[str, Rate]:
    """Samples and proofs by problem; only outcomes that say something count."""
    found: dict[str, Rate] = {}
    for result in results:
        if result.counted:
            known = found.get(result.name, Rate(0, 0))
            found[result.name] = Rate(known.samples + 1, known.passed + result.proved)
    return dict(sorted(found.items()))


def comparisons(baseline: str, counted: Mapping[str, Rates]) -> Iterator[Comparison]:
    """Every configuration but the baseline against it.

    Args:
        baseline: its name.
        counted: rates by configuration.
    """
    others = [name for name in counted if name != baseline]
    plain = [_compared(name, baseline, counted[name], counted[baseline]) for name in others]
    for one, adjusted in zip(plain, holm([c.p_value for c in plain]), strict=True):
        yield one.model_copy(update={"p_holm": round(adjusted, _DIGITS)})


def _compared(name: str, baseline: str, ours: Rates, theirs: Rates) -> Comparison:
    shared = sorted(ours.keys() & theirs.keys())
    differences = [ours[n].share - theirs[n].share for n in shared]
    better = tuple(n for n, d in zip(shared, differences, strict=True) if d > 0)
    worse = tuple(n for n, d in zip(shared, differences, strict=True) if d < 0)
    found = bootstrap(differences)
    return Comparison(
        name=name,
        baseline=baseline,
        pairs=len(shared),
        difference=round(sum(differences) / len(shared), _DIGITS) if shared else None,
        interval=(round(found.low, _DIGITS), round(found.high, _DIGITS)) if found else None,
        better=better,
        worse=worse,
        p_value=round(mcnemar(len(worse), len(better)), _DIGITS),
        p_holm=1.0,
    )
