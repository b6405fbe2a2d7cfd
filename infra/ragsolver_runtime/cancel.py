"""Cancelling: a recorded fact, plus a notice that reaches running work at once."""

from datetime import UTC, datetime

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_runtime.kinship import told_above
from ragsolver_runtime.publish import TERMINAL, Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.recorded import Said


async def cancel(
    publisher: Publisher,
    reader: EventReader,
    run_id: str,
    problem_id: str | None,
    *,
    by: str,
    reason: str = "",
) -> list[str]:
    """Cancel one problem, or every open problem of a run; returns the problems cancelled.

    Args:
        publisher: stores the cancellations and sends the notices.
        reader: finds what is open.
        run_id: the run.
        problem_id: one problem; none for all of the run.
        by: who asks.
        reason: why.
    """
    submitted: dict[str, AnyEvent] = {}
    over: set[str] = set()
    async for event in reader.read_run(run_id):
        if isinstance(event.data, ProblemSubmitted):
            submitted[event.problem_id] = event
        elif isinstance(event.data, TERMINAL):
            over.add(event.problem_id)
    # Children end with the problem above them.
    asked = [
        p for p in submitted if p == problem_id or (problem_id is None and _posted(submitted[p]))
    ]
    wanted = [p for p in asked if p not in over]
    for problem in wanted:
        case = Case.fold(run_id, problem, [submitted[problem]])
        ended = Said(ProblemCancelled(requested_by=by, reason=reason))
        parent = case.problem.parent if case.problem is not None else None
        # Nobody here can close its account: all that it was granted counts as used.
        for said in told_above(case, [ended], parent.llm_calls if parent is not None else 0):
            event = make_event(
                said.payload,
                run_id=run_id,
                problem_id=said.problem_id or problem,
                source="cli/cancel",
                time=datetime.now(UTC),
            )
            await publisher.publish(event)
    return wanted


def _posted(event: AnyEvent) -> bool:
    return not isinstance(event.data, ProblemSubmitted) or event.data.problem.parent is None
