"""Which attempt a trigger starts: the generator sketches it, the critic sees if none is left."""

from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import AttemptCritiqued, EvidenceRetrieved


def started_attempt(case: Case, trigger: AnyEvent) -> int | None:
    """Number of the attempt that the trigger starts; none where it starts none.

    The join of a plan's retrievals is read off the fold, and a trigger whose attempt has its
    sketch already starts nothing.
    """
    match trigger.data:
        case EvidenceRetrieved(attempt=0, plan=plan):
            if plan != case.plan_number or not case.plan_retrieved(plan):
                return None
            earlier = [n for n, sketch in case.sketches.items() if sketch.plan < plan]
            number = max(earlier, default=0) + 1
        case EvidenceRetrieved(attempt=attempt):
            number = attempt + 1
        case AttemptCritiqued(route=Route.RETRY, attempt=attempt):
            number = attempt + 1
        case _:
            return None
    return number if number == case.attempt_number + 1 else None
