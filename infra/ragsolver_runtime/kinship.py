"""Child problems in the consume path: their ends are told to their parents, and end with them.

A child is a problem like any other. What differs is here: before each of its ends its parent is
told that a hole is closed, and once one of its ancestors has ended it is cancelled.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_run import ProblemCancelled, ProblemRefused
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.problem import Problem
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.llm.port import LlmPort, NoModelError
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.recorded import Said
from ragsolver_runtime.tasks import end

PARENT_ENDED = "parent"
"""`requested_by` of a cancellation because an ancestor has ended."""


def ancestors(problem: Problem | None) -> tuple[str, ...]:
    """Ids of the problems above, the posted one first; empty for a posted problem."""
    return problem.parent.ancestors if problem is not None and problem.parent else ()


async def ended_ancestor(reader: EventReader, case: Case) -> ProblemCancelled | None:
    """The cancellation of a child one of whose ancestors has ended; none while all are open."""
    for above in ancestors(case.problem):
        ended = (await reader.load_case(case.run_id, above)).outcome
        if ended is not None:
            return ProblemCancelled(
                requested_by=PARENT_ENDED, reason=f"{above} has ended: {ended.value}"
            )
    return None


async def needless(cancelled: Callable[[str, str], Awaitable[None]], case: Case) -> None:
    """Return as soon as a notice says that the problem, or one above it, needs no more work.

    Args:
        cancelled: returns when there is a notice for one problem (`WorkerContext.cancelled`).
        case: the problem.
    """
    wanted = (case.problem_id, *ancestors(case.problem))
    waiting = [asyncio.ensure_future(cancelled(case.run_id, problem)) for problem in wanted]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await end(*waiting)


async def used_calls(llm: LlmPort, case: Case, trigger: AnyEvent) -> int:
    """Calls of its grant that a child used; all of them where its account cannot be closed."""
    granted = case.problem.parent.llm_calls if case.problem and case.problem.parent else 0
    if granted == 0:
        return 0
    try:
        return await llm.settle(case, trigger)
    except NoModelError:
        return granted


def ends(case: Case, said: Iterable[Said]) -> bool:
    """Whether a child problem ends with what is said."""
    return any(hole_closed(case, s.payload, 0) is not None for s in said if s.problem_id is None)


def told_above(case: Case, said: Iterable[Said], used: int) -> Sequence[Said]:
    """What is said of a problem, with word to its parent before each end of its own.

    Args:
        case: the problem.
        said: of it, and of others.
        used: calls of its grant that count as used.
    """
    told: list[Said] = []
    for item in said:
        closed = hole_closed(case, item.payload, used) if item.problem_id is None else None
        if closed is not None and case.problem is not None and case.problem.parent is not None:
            told.append(Said(closed, problem_id=case.problem.parent.problem_id))
        told.append(item)
    return told


def hole_closed(case: Case, payload: Payload, used: int) -> HoleClosed | None:
    """Word to the parent that a child ended; none where it did not, or has no parent."""
    parent = case.problem.parent if case.problem is not None else None
    if parent is None:
        return None
    text = None
    match payload:
        case ProblemSolved(report=report):
            outcome, message = Outcome.SOLVED, report.message
            if report.proof is not None:
                accepted = case.candidates[(report.proof.attempt, report.proof.candidate)]
                text = accepted.text
        case ProblemFailed(outcome=failed, message=message):
            outcome = failed
        case ProblemRefused(message=message):
            outcome = Outcome.REFUSED
        case ProblemCancelled(reason=message):
            outcome = Outcome.CANCELLED
        case _:
            return None
    return HoleClosed(
        attempt=parent.attempt,
        hole_id=parent.hole_id,
        child_id=case.problem_id,
        outcome=outcome,
        text=text,
        message=message,
        llm_calls=used,
    )
