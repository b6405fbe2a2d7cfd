"""A decision about another problem of the same run than the one that was delivered."""

from collections.abc import Sequence
from dataclasses import dataclass

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_run import ProblemSubmitted


@dataclass(frozen=True)
class About:
    """A payload that is said of another problem."""

    problem_id: str
    payload: Payload


Decided = Sequence[Payload | About]
"""What a worker decides, in the order in which it is to be published."""


def payload_of(item: Payload | About) -> Payload:
    """What is said."""
    return item.payload if isinstance(item, About) else item


def other_problem(item: Payload | About) -> str | None:
    """The problem that it is said of; none for the one that was delivered."""
    if isinstance(item, About):
        return item.problem_id
    return item.problem.problem_id if isinstance(item, ProblemSubmitted) else None
