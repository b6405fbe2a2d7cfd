"""Where calls of a language model are written down: budget and exchanges of one process."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent, make_event
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.llm import LlmOutcome, LlmReply
from ragsolver_runtime.budget import Purse, cap_of
from ragsolver_runtime.llm.asked import Asked
from ragsolver_runtime.publish import Duplicate, Publisher, Stored
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.wire import StoredEvent

_SAID = ("text", "error", "stop_reason")


@dataclass(frozen=True)
class Ledger:
    """What one process reads and writes of calls."""

    publisher: Publisher
    reader: EventReader
    source: str
    """`<role>/<instance>` of this process."""
    secrets: tuple[str, ...] = ()
    """What may stand in no event."""

    @property
    def role(self) -> str:
        """Of this process."""
        return self.source.split("/", 1)[0]

    def purse(self, case: Case, cause: AnyEvent) -> Purse:
        """The budget of a problem."""
        return Purse(
            self.publisher,
            self.reader,
            run_id=case.run_id,
            problem_id=case.problem_id,
            cap=cap_of(case),
            source=self.source,
            cause=cause,
        )

    async def stored(self, case: Case, at_least: int) -> list[StoredEvent]:
        """The problem's events as they stand, up to a stream sequence at least."""
        every = await self.reader.stored_of_problem(
            case.run_id, case.problem_id, at_least=at_least
        )
        return [item for item in every if isinstance(item, StoredEvent)]

    async def write(
        self, case: Case, what: Asked[Any], called: LlmCalled, recorded_from: str | None = None
    ) -> Stored | Duplicate:
        """Store an exchange; a call number has one, the first."""
        event = make_event(
            called,
            run_id=case.run_id,
            problem_id=case.problem_id,
            source=self.source,
            time=datetime.now(UTC),
            cause=what.trigger,
            recorded_from=recorded_from,
        )
        return await self.publisher.publish(event)

    async def lose(
        self, case: Case, what: Asked[Any], call: int, retry: int, said: str
    ) -> Stored | Duplicate:
        """Store that nobody has the answer of a call."""
        reply = LlmReply(outcome=LlmOutcome.LOST, error=said)
        return await self.write(case, what, what.called(call, retry, reply, 0.0))

    def clean(self, reply: LlmReply) -> LlmReply:
        """A reply in which no secret stands, whoever put it there."""
        return reply.model_copy(
            update={name: self._hidden(getattr(reply, name)) for name in _SAID}
        )

    def _hidden(self, text: str) -> str:
        for secret in self.secrets:
            text = text.replace(secret, "[secret]")
        return text
