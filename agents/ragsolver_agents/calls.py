"""Calls of a language model that a problem may still make."""

from ragsolver_contracts.account import account
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.budget import cap_of


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
    return max(cap_of(case) - account(counted).taken, 0)
