"""A bus in memory for the command line's unit tests: what is published can be read."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, RunStarted
from ragsolver_contracts.ids import refused_input_id
from ragsolver_contracts.problem import RefusalReason, SubmitReply
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.admission import Admitted, RawInput, admit
from ragsolver_runtime.intake import LINE_HEADER, RUN_HEADER
from ragsolver_runtime.publish import Duplicate, Stored
from ragsolver_runtime.testing import said
from ragsolver_runtime.wire import StoredEvent


class MemoryBus:
    """Publisher, reader and client in one; `url`, `server` and `app` as in `Bus`."""

    url = "memory"
    server = None
    app = None

    def __init__(self, events: Iterable[AnyEvent] = ()) -> None:
        self.events: dict[str, AnyEvent] = {event.id: event for event in events}
        self.recorded: dict[str, AnyEvent] = {}
        self.posted: list[bytes] = []
        self.answer: Callable[[AnyEvent], Iterable[AnyEvent]] = lambda _: ()
        self._news = asyncio.Event()

    @property
    def publisher(self) -> Any:
        """The bus takes events."""
        return self

    @property
    def reader(self) -> Any:
        """The bus gives events."""
        return self

    @property
    def client(self) -> Any:
        """The bus answers inputs."""
        return SimpleNamespace(
            request=self._request,
            is_closed=False,
            is_connected=True,
            jetstream=lambda **_: SimpleNamespace(stream_info=self._info),
        )

    async def _info(self, _: str) -> Any:
        """There is always room."""
        state = SimpleNamespace(bytes=0, last_seq=len(self.events))
        return SimpleNamespace(config=SimpleNamespace(max_bytes=2**31), state=state)

    async def publish(self, event: AnyEvent, *, closes: bool = False) -> Stored | Duplicate:
        """Store once; whoever answers events gets this one."""
        if event.id in self.events:
            return Duplicate(1)
        self.events[event.id] = event
        self._news.set()
        for answer in self.answer(event):
            await self.publish(answer)
        return Stored(len(self.events))

    def _stored(self) -> list[StoredEvent]:
        at = datetime(2026, 1, 1, tzinfo=UTC)
        numbered = enumerate(self.events.values(), start=1)
        return [StoredEvent(n, event, stored_at=at) for n, event in numbered]

    async def stored_on(self, subject: str, *, after: int = 0) -> AsyncIterator[StoredEvent]:
        """Events of one name: `rs.v1.<name>.>`."""
        name = subject.split(".")[2]
        for stored in self._stored():
            if stored.event.name == name:
                yield stored

    async def stored_of_run(
        self, run_id: str, *, after: int = 0, name: str = "*"
    ) -> AsyncIterator[StoredEvent]:
        """Events of one run after a place, of one name or of all."""
        for stored in self._stored():
            wanted = stored.event.run_id == run_id and name in ("*", stored.event.name)
            if wanted and stored.sequence > after:
                yield stored

    async def stored_of_problem(self, run_id: str, problem_id: str) -> list[StoredEvent]:
        """Events of one problem."""
        wanted = (run_id, problem_id)
        return [s for s in self._stored() if (s.event.run_id, s.event.problem_id) == wanted]

    async def keep_answers(self, entries: Iterable[tuple[str, AnyEvent]]) -> int:
        """Recorded answers by subject."""
        kept = dict(entries)
        self.recorded |= kept
        return len(kept)

    async def read_run(self, run_id: str) -> AsyncIterator[AnyEvent]:
        """Events of one run."""
        async for stored in self.stored_of_run(run_id):
            yield stored.event

    async def follow_run(self, run_id: str, *, after: int = 0) -> AsyncIterator[StoredEvent]:
        """Events of one run, then what comes."""
        while True:
            self._news.clear()
            for stored in self._stored():
                if stored.event.run_id == run_id and stored.sequence > after:
                    after = stored.sequence
                    yield stored
            await self._news.wait()

    async def run_started(self, run_id: str) -> RunStarted | None:
        """The run's start."""
        found = (e.data for e in self.events.values() if e.run_id == run_id)
        return next((data for data in found if isinstance(data, RunStarted)), None)

    async def run_config(self, run_id: str) -> RunConfig:
        """The run's configuration."""
        started = await self.run_started(run_id)
        return started.config if started else RunConfig()

    async def load_case(self, run_id: str, problem_id: str) -> Case:
        """The fold of one problem."""
        wanted = (run_id, problem_id)
        events = [e for e in self.events.values() if (e.run_id, e.problem_id) == wanted]
        return Case.fold(run_id, problem_id, events, await self.run_config(run_id))

    async def _request(
        self,
        _: str,
        message: bytes,
        timeout: float,  # noqa: ASYNC109 - the signature of the real client
        headers: dict[str, str] | None,
    ) -> Any:
        """What the intake would do, without refusal events."""
        self.posted.append(message)
        given = headers or {}
        line = int(given[LINE_HEADER]) if LINE_HEADER in given else None
        raw = RawInput(message, given.get(RUN_HEADER), line)
        decision = admit(raw)
        if not isinstance(decision, Admitted):
            reply = SubmitReply(
                status="refused",
                run_id=decision.run_id,
                problem_id=refused_input_id(raw.key),
                reason=decision.reason or RefusalReason.SCHEMA,
                message=decision.message,
            )
            return SimpleNamespace(data=reply.model_dump_json().encode())
        problem = decision.problem
        event = said(ProblemSubmitted(problem=problem), decision.run_id, problem.problem_id)
        again = isinstance(await self.publish(event), Duplicate)
        reply = SubmitReply(
            status="accepted",
            run_id=decision.run_id,
            problem_id=problem.problem_id,
            duplicate=again,
        )
        return SimpleNamespace(data=reply.model_dump_json().encode())


def opens(bus: MemoryBus) -> Any:
    """Stands in for `connected`, `embedded` and `existing`."""

    @asynccontextmanager
    async def _open(*_: Any, **__: Any) -> AsyncIterator[MemoryBus]:
        yield bus

    return _open
