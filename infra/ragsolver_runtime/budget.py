"""The budget of language-model calls: a call is reserved by an event before it is made.

The write expects that nobody reserved since we counted, over all of the problem's reservations
at once, so of any number of racing writers one wins and the others count again: the cap holds
whatever fails (behaviour contract `budget`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ragsolver_contracts import subjects
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_runtime.publish import Publisher, WrongSequence
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.wire import StoredEvent


@dataclass(frozen=True)
class Reserved:
    """The call may be made."""

    call: int
    """Its number within the problem, from 1."""


@dataclass(frozen=True)
class Exhausted:
    """No call is left: a normal outcome."""

    taken: int


def next_call(taken: Iterable[int], cap: int) -> int | None:
    """Number of the next call, or none when `cap` numbers are taken."""
    numbers = set(taken)
    return max(numbers, default=0) + 1 if len(numbers) < cap else None


async def reserve_call(
    publisher: Publisher,
    reader: EventReader,
    *,
    run_id: str,
    problem_id: str,
    cap: int,
    agent: str,
    purpose: str,
    source: str,
    cause: AnyEvent | None = None,
) -> Reserved | Exhausted:
    """Take one call of the problem's budget.

    Args:
        publisher: stores the reservation.
        reader: counts what is taken.
        run_id: the run.
        problem_id: the problem.
        cap: calls that the problem may make, over all workers and retries.
        agent: role that will make the call.
        purpose: what for.
        source: `<role>/<instance>` of the caller.
        cause: the event that made the call necessary.
    """
    reservations = subjects.events_of_problem(run_id, problem_id, LlmReserved.NAME)
    while True:
        taken, last = await _taken(reader, run_id, problem_id)
        call = next_call(taken, cap)
        if call is None:
            return Exhausted(len(taken))
        event = make_event(
            LlmReserved(call=call, agent=agent, purpose=purpose),
            run_id=run_id,
            problem_id=problem_id,
            source=source,
            time=datetime.now(UTC),
            cause=cause,
        )
        result = await publisher.publish_guarded(event, (reservations, last))
        if not isinstance(result, WrongSequence):
            return Reserved(call)


async def _taken(reader: EventReader, run_id: str, problem_id: str) -> tuple[set[int], int]:
    """Call numbers that are taken, and the stream sequence of the last reservation (0: none)."""
    taken: set[int] = set()
    last = 0
    for stored in await reader.stored_of_problem(run_id, problem_id):
        if not isinstance(stored, StoredEvent):
            continue
        payload = stored.event.data
        if isinstance(payload, LlmReserved | LlmCalled):
            taken.add(payload.call)
        if isinstance(payload, LlmReserved):
            last = max(last, stored.sequence)
    return taken, last
