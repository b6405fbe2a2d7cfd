"""The budget of language-model calls: a call is reserved by an event before it is made.

The write expects that nobody reserved since we counted, over all of the problem's reservations
at once, so of any number of racing writers one wins and the others count again: the cap holds
whatever fails (behaviour contract `budget`). A child problem gets a part of its parent's budget
as one reservation there, and gives back what it did not use when its own account is sealed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from ragsolver_contracts import subjects
from ragsolver_contracts.account import Account, account
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_llm import RETURNED, LlmReserved
from ragsolver_runtime.publish import Publisher, Stored, WrongSequence
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.wire import StoredEvent

GRANT = "grant"
"""Purpose of what is reserved for another problem."""


@dataclass(frozen=True)
class Reserved:
    """The call may be made."""

    call: int
    """Its number within the problem, from 1."""


@dataclass(frozen=True)
class Exhausted:
    """No call is left: a normal outcome."""

    taken: int


def cap_of(case: Case) -> int:
    """Calls that a problem may make: its run's budget, or what its parent granted it."""
    parent = case.problem.parent if case.problem is not None else None
    return case.config.budget.llm_calls if parent is None else parent.llm_calls


def next_call(now: Account, cap: int) -> int | None:
    """Number of the next call, or none when `cap` calls are taken."""
    return now.next_call if now.taken < cap else None


@dataclass(frozen=True)
class Outdated:
    """Somebody reserved since the caller looked: what it decided on may be over."""

    last: int
    """Stream sequence of that reservation, or 0."""


@dataclass(frozen=True)
class Purse:
    """The budget of one problem as one worker sees it."""

    publisher: Publisher
    """Stores reservations."""
    reader: EventReader
    """Counts what is taken."""
    run_id: str
    problem_id: str
    cap: int
    """Calls that the problem may make, over all workers and retries."""
    source: str
    """`<role>/<instance>` of who reserves."""
    cause: AnyEvent | None = None
    """The event that makes the calls necessary."""

    async def reserve(self, agent: str, purpose: str) -> Reserved | Exhausted:
        """Take one call.

        Args:
            agent: role that will make the call.
            purpose: what for.
        """
        while True:
            now, last = _counted(await self._events())
            call = next_call(now, self.cap)
            if call is None:
                return Exhausted(now.taken)
            if await self._stored(LlmReserved(call=call, agent=agent, purpose=purpose), last):
                return Reserved(call)

    async def reserve_on(
        self, seen: Iterable[StoredEvent], agent: str, purpose: str
    ) -> Reserved | Exhausted | Outdated:
        """Take one call, if nobody took one since the problem's events were read.

        Args:
            seen: the events that the caller decided on.
            agent: role that will make the call.
            purpose: what for.
        """
        now, last = _counted(seen)
        call = next_call(now, self.cap)
        if call is None:
            return Exhausted(now.taken)
        result = await self._store(LlmReserved(call=call, agent=agent, purpose=purpose), last)
        return Outdated(result.last) if isinstance(result, WrongSequence) else Reserved(call)

    async def grant(self, child_id: str, calls: int, agent: str) -> int:
        """Take up to `calls` for a child problem; how many there were. Once for each child."""
        while True:
            events = await self._events()
            granted = (e.event.data for e in events if isinstance(e.event.data, LlmReserved))
            before = next((one for one in granted if one.granted_to == child_id), None)
            if before is not None:
                return before.calls
            now, last = _counted(events)
            wanted = min(calls, self.cap - now.taken)
            if wanted <= 0:
                return 0
            if await self._stored(_grant(now, wanted, child_id, agent), last):
                return wanted

    async def settle(self, agent: str) -> int:
        """Take what is left, so that nobody else can; how many calls were used until then.

        What this says never becomes less than what the problem can have used.
        """
        while True:
            now, last = _counted(await self._events())
            left = self.cap - now.taken
            if left <= 0:
                return now.used
            await self._stored(_grant(now, left, RETURNED, agent), last)

    async def left(self) -> int:
        """Calls that are left now."""
        now, _ = _counted(await self._events())
        return max(self.cap - now.taken, 0)

    async def _events(self) -> list[StoredEvent]:
        every = await self.reader.stored_of_problem(self.run_id, self.problem_id)
        return [stored for stored in every if isinstance(stored, StoredEvent)]

    async def _stored(self, reserved: LlmReserved, last: int) -> bool:
        """Whether a reservation was stored before any other since `last`."""
        return not isinstance(await self._store(reserved, last), WrongSequence)

    async def _store(self, reserved: LlmReserved, last: int) -> Stored | WrongSequence:
        event = make_event(
            reserved,
            run_id=self.run_id,
            problem_id=self.problem_id,
            source=self.source,
            time=datetime.now(UTC),
            cause=self.cause,
        )
        where = subjects.events_of_problem(self.run_id, self.problem_id, LlmReserved.NAME)
        return await self.publisher.publish_guarded(event, (where, last))


def _counted(events: Iterable[StoredEvent]) -> tuple[Account, int]:
    """The account, and the stream sequence of the last reservation (0: none)."""
    events = list(events)
    reserved = (item.sequence for item in events if isinstance(item.event.data, LlmReserved))
    return account(item.event.data for item in events), max(reserved, default=0)


def _grant(now: Account, calls: int, whom: str, agent: str) -> LlmReserved:
    return LlmReserved(
        call=now.next_call, calls=calls, agent=agent, purpose=GRANT, granted_to=whom
    )
