"""Calls of a language model that a problem may still make."""

from ragsolver_contracts.account import account
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent


def calls_cap(case: Case) -> int:
    """Calls that the problem may make in all: a child no more than it was granted."""
    cap = case.config.budget.llm_calls
    parent = case.problem.parent if case.problem is not None else None
    return cap if parent is None else min(cap, parent.llm_calls)


def calls_left(case: Case, trigger: AnyEvent | None = None) -> int:
    """Calls that are left.

    Args:
        case: the fold.
        trigger: calls that it caused do not count: so a delivery that comes again decides as the
            first one did.
    """
    counted = (
        event.data
        for event in case.events.values()
        if trigger is None or event.causationid != trigger.id
    )
    return max(calls_cap(case) - account(counted).taken, 0)
