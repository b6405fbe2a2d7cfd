"""What a problem's events say of one question: its answer, its tries, and calls in the air."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.asked import Asked
from ragsolver_runtime.wire import StoredEvent


@dataclass(frozen=True)
class Flight:
    """A call that was reserved and of which nothing more is known."""

    call: int
    source: str
    """Who reserved it."""


@dataclass(frozen=True)
class Past:
    """What was stored of one question of one delivery."""

    settled: LlmCalled | None
    """The exchange that ended it, the first that was stored."""
    tries: tuple[LlmCalled, ...]
    """Tries that may be repeated, in the order of the stream."""
    repeated: LlmCalled | None
    """The latest of them that a replay took from its recording."""
    flights: tuple[Flight, ...]
    turn: int
    """Which question of this agent and purpose it is in the problem, from 1."""

    @property
    def last(self) -> LlmOutcome | None:
        """How the latest try ended."""
        return self.tries[-1].outcome if self.tries else None


def past_of(stored: Iterable[StoredEvent], asked: Asked[Any]) -> Past:
    """What a problem's events say of a question.

    A delivery that comes again asks the same: its trigger, agent, purpose and request tell a
    question from any other. A reservation names no request; one of the same trigger, agent and
    purpose that has no exchange belongs to the question that has no answer yet.
    """
    events = sorted(stored, key=lambda item: item.sequence)
    mine = [(event, called) for event, called in _calls(events) if _of(event, called, asked)]
    tries = [(event, called) for event, called in mine if called.outcome.passes]
    repeated = [called for event, called in tries if event.recordedfrom is not None]
    return Past(
        settled=next((called for _, called in mine if not called.outcome.passes), None),
        tries=tuple(called for _, called in tries),
        repeated=repeated[-1] if repeated else None,
        flights=tuple(_flights(events, asked)),
        turn=_turn(events, asked),
    )


def _calls(events: Iterable[StoredEvent]) -> Iterator[tuple[AnyEvent, LlmCalled]]:
    for item in events:
        if isinstance(item.event.data, LlmCalled):
            yield item.event, item.event.data


def _of(event: AnyEvent, called: LlmCalled, asked: Asked[Any]) -> bool:
    same = event.causationid == asked.trigger.id and called.request_hash == asked.request_hash
    question = asked.question
    return same and (called.agent, called.purpose) == (question.agent, question.purpose)


def _flights(events: list[StoredEvent], asked: Asked[Any]) -> Iterator[Flight]:
    ended = {called.call for _, called in _calls(events)}
    wanted = (asked.question.agent, asked.question.purpose)
    for item in events:
        match item.event.data:
            case LlmReserved(granted_to="", call=call, agent=agent, purpose=purpose):
                mine = item.event.causationid == asked.trigger.id and (agent, purpose) == wanted
                if mine and call not in ended:
                    yield Flight(call, item.event.source)
            case _:
                pass


def _turn(events: list[StoredEvent], asked: Asked[Any]) -> int:
    """Questions before this one: tries and repeated deliveries of one question are one."""
    wanted = (asked.question.agent, asked.question.purpose)
    asked_before = {
        (event.causationid, called.request_hash)
        for event, called in _calls(events)
        if (called.agent, called.purpose) == wanted
    }
    return len(asked_before - {(asked.trigger.id, asked.request_hash)}) + 1
