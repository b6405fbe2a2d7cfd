"""What a replay came to: the same state or where it parted, and what it cost."""

from collections.abc import AsyncIterator

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.replay import Replay
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.state import run_state_hash, state_hash
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.replay.compare import Parting, first_difference
from ragsolver_runtime.replay.costs import Cost, Spent, spent_on
from ragsolver_runtime.replay.source import RunSource
from ragsolver_runtime.replay.wanted import wanted


class ReplayedProblem(Model):
    """One problem, as it was and as it came out now."""

    problem_id: str
    name: str
    old: Outcome | None
    new: Outcome | None
    old_state: str
    """State hash."""
    new_state: str
    parting: Parting | None = None
    """The first difference; none where the states are equal."""
    spent: Spent = Spent()

    @property
    def same(self) -> bool:
        """Whether both runs have the same state."""
        return self.old_state == self.new_state


class ReplayReport(Model):
    """Everything about one replay."""

    run_id: str
    config: str
    replay: Replay
    old_state: str
    """State hash of the old run's problems that were replayed."""
    new_state: str
    same: bool
    problems: tuple[ReplayedProblem, ...]
    spent: Spent = Field(default_factory=Spent)

    @property
    def parted(self) -> list[ReplayedProblem]:
        """Problems whose states differ."""
        return [problem for problem in self.problems if not problem.same]

    @property
    def after_parting(self) -> Cost:
        """What the problems that parted cost live: the price of the difference."""
        return sum((problem.spent.live for problem in self.parted), Cost())


async def replay_report(old: RunSource, new: RunSource) -> ReplayReport:
    """Compare a replay with the run that it replays.

    Args:
        old: the old run.
        new: the replay.

    Raises:
        BusError: `new` is not a replay.
    """
    started = await new.started()
    if started is None or started.replays is None:
        raise BusError(f"run {new.run_id} replays no other run")
    problems, spent = [], Spent()
    async for problem in _compared(old, new, frozenset(started.replays.only)):
        problems.append(problem)
        spent += problem.spent
    old_state = run_state_hash([(p.problem_id, p.old_state) for p in problems])
    new_state = run_state_hash([(p.problem_id, p.new_state) for p in problems])
    return ReplayReport(
        run_id=new.run_id,
        config=started.config.name,
        replay=started.replays,
        old_state=old_state,
        new_state=new_state,
        same=old_state == new_state,
        problems=tuple(problems),
        spent=spent,
    )


async def _compared(
    old: RunSource, new: RunSource, only: frozenset[str]
) -> AsyncIterator[ReplayedProblem]:
    async for problem_id in old.problem_ids():
        was = await old.case(problem_id)
        if not wanted(only, was):
            continue
        now = await new.case(problem_id)
        yield ReplayedProblem(
            problem_id=problem_id,
            name=was.problem.name if was.problem else problem_id,
            old=was.outcome,
            new=now.outcome,
            old_state=state_hash(was),
            new_state=state_hash(now),
            parting=first_difference(was, now),
            spent=spent_on(now),
        )
