"""Which problems of a recorded run a replay is about."""

from collections.abc import Iterable

from ragsolver_contracts.case import Case


def was_posted(case: Case) -> bool:
    """Whether somebody posted it; child problems are made again by the replay itself."""
    return case.problem is None or case.problem.parent is None


def wanted(only: Iterable[str], case: Case) -> bool:
    """Whether a problem, or the one that it is a part of, is among those that are replayed."""
    names = frozenset(only)
    parent = case.problem.parent if case.problem is not None else None
    posted = parent.ancestors[0] if parent is not None else case.problem_id
    return not names or bool(names & {case.problem_id, posted})
