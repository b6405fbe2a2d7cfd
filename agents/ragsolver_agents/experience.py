"""What past traces say of the portfolio: per strategy and shape, tries, acceptances and time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ragsolver_agents.formalizer.portfolio.reading import read
from ragsolver_agents.formalizer.portfolio.shape import shape, strategy_key
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    CandidateProposed,
    ProblemFailed,
    VerdictIssued,
)
from ragsolver_contracts.run_config import Experience
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus

_KILLED = frozenset({VerdictReason.MEMORY_LIMIT, VerdictReason.OUTPUT_LIMIT})


@dataclass
class Tries:
    """Sums over the tries of one strategy."""

    tries: int = 0
    accepted: int = 0
    refuted: int = 0
    """Accepted for the negation of a statement; not among `accepted`."""
    ms: float = 0.0
    """CPU milliseconds of Lean; wall-clock ones where a trace has no others."""
    killed: int = 0

    def count(self, verdict: Verdict | None, *, negated: bool) -> None:
        """One more try; without a verdict its process died."""
        self.tries += 1
        if verdict is None:
            self.killed += 1
            return
        self.ms += verdict.cpu_ms or verdict.elapsed_ms
        self.killed += was_killed(verdict)
        if verdict.status is VerdictStatus.ACCEPTED:
            self.accepted += not negated
            self.refuted += negated

    def add(self, other: "Tries") -> None:
        """Take the sums of another in."""
        self.tries += other.tries
        self.accepted += other.accepted
        self.refuted += other.refuted
        self.ms += other.ms
        self.killed += other.killed


def was_killed(verdict: Verdict) -> bool:
    """Whether a limit ended the process: Lean itself says something where heartbeats ran out."""
    silent = verdict.reason is VerdictReason.TIMEOUT and not verdict.diagnostics
    return verdict.reason in _KILLED or silent


@dataclass
class Tally:
    """Reads events in the order of a trace, one at a time, and keeps sums.

    Attributes:
        strategies: by strategy and shape.
        unsolved: why each problem without a proof ended, by problem.
    """

    strategies: dict[tuple[str, str], Tries] = field(default_factory=dict)
    unsolved: dict[str, str] = field(default_factory=dict)
    _shapes: dict[tuple[str, str], str] = field(default_factory=dict)
    _open: dict[tuple[str, str, int, int], CandidateProposed] = field(default_factory=dict)

    def read(self, events: Iterable[AnyEvent]) -> None:
        """Take events in; those of other engines and workers pass."""
        for event in events:
            self._take(event)

    def _take(self, event: AnyEvent) -> None:
        of = (event.run_id, event.problem_id)
        match event.data:
            case StatementChecked(view=view) if view is not None:
                self._shapes[of] = shape(read(view))
            case CandidateProposed(engine="portfolio") as candidate:
                self._open[(*of, candidate.attempt, candidate.candidate)] = candidate
            case VerdictIssued(attempt=attempt, candidate=number, verdict=verdict):
                self._close((*of, attempt, number), verdict)
            case WorkFailed(attempt=int() as attempt, candidate=int() as number):
                self._close((*of, attempt, number), None)
            case ProblemFailed(message=message):
                self.unsolved[event.problem_id] = message
            case _:
                pass

    def _close(self, key: tuple[str, str, int, int], verdict: Verdict | None) -> None:
        candidate = self._open.pop(key, None)
        if candidate is None:
            return
        slot = strategy_key(candidate.strategy), self._shapes.get(key[:2], "none/other")
        tries = self.strategies.setdefault(slot, Tries())
        tries.count(verdict, negated=candidate.negated)


def experience(tally: Tally) -> Iterator[Experience]:
    """The sums as a run configuration takes them, by strategy and shape in their order.

    A refutation is a success of its strategy: it ends the problem just as well.
    """
    for (strategy, of_shape), sums in sorted(tally.strategies.items()):
        judged = max(sums.tries, 1)
        yield Experience(
            strategy=strategy,
            shape=of_shape,
            tries=sums.tries,
            accepted=sums.accepted + sums.refuted,
            mean_ms=round(sums.ms / judged, 1),
            killed=sums.killed,
        )


def by_family(tally: Tally) -> dict[str, Tries]:
    """Sums by family, in the order of what they proved."""
    families: dict[str, Tries] = {}
    for (strategy, _), sums in sorted(tally.strategies.items()):
        families.setdefault(strategy.partition("/")[0], Tries()).add(sums)
    order = sorted(families, key=lambda name: (-families[name].accepted, name))
    return {name: families[name] for name in order}
