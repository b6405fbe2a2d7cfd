"""The recording of a run on the bus: its answers, one per question, each under its own subject.

It is made from a trace and can be made again at any time; workers look answers up by one direct
get, so that they need neither the trace nor the old run.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator

from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from ragsolver_contracts import subjects
from ragsolver_contracts.answers import AnswerKind, answers_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.ids import digest
from ragsolver_contracts.replay import Replay, ReplayStage
from ragsolver_runtime.access.echoes import is_echo
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.recorded import RecordedPort
from ragsolver_runtime.streams import RECORDED
from ragsolver_runtime.wire import decode

_LOOK_AGAIN_S = 0.05

_STAGE = {
    AnswerKind.STATEMENT: ReplayStage.STATEMENT,
    AnswerKind.RETRIEVAL: ReplayStage.RETRIEVAL,
    AnswerKind.VERDICT: ReplayStage.VERDICT,
    AnswerKind.DECIDER: ReplayStage.VERDICT,
}


def recording_id(run_id: str, trace_digest: str) -> str:
    """Name of the recording of one run of one trace."""
    return digest(run_id, trace_digest)[:32]


async def record(publisher: Publisher, recording: str, cases: Iterable[Case]) -> int:
    """Put the answers of problems on the bus; doing it again changes nothing.

    Args:
        publisher: the bus.
        recording: its name.
        cases: the old run's problems, one in memory at a time.

    Returns:
        How many answers were recorded.
    """
    return await publisher.keep_answers(_entries(recording, cases))


def _entries(recording: str, cases: Iterable[Case]) -> Iterator[tuple[str, AnyEvent]]:
    for case in cases:
        for kind, key, event in answers_of(case):
            yield subjects.recorded_answer(recording, case.problem_id, kind.value, key), event


class RecordedAnswers:
    """What one problem of a replay may use again."""

    def __init__(
        self,
        replay: Replay,
        problem_id: str,
        fetch: Callable[[str], Awaitable[AnyEvent | None]],
        reload: Callable[[], Awaitable[Case]],
    ) -> None:
        self._replay = replay
        self._problem_id = problem_id
        self._fetch = fetch
        self._reload = reload

    @property
    def replay(self) -> Replay:
        """What is replayed, and how."""
        return self._replay

    async def answer(self, kind: AnswerKind, key: str) -> AnyEvent | None:
        """The recorded answer to a question; none where there is none, or it may not be used."""
        stage = _STAGE.get(kind)
        if stage is not None and not self._replay.reuses(stage):
            return None
        subject = subjects.recorded_answer(
            self._replay.recording, self._problem_id, kind.value, key
        )
        return await self._fetch(subject)

    async def case(self) -> Case:
        """The problem as it is stored now."""
        return await self._reload()


class RecordedSource:
    """Finds the recorded answers of any run on this bus."""

    def __init__(self, js: JetStreamContext, reader: EventReader) -> None:
        self._js = js
        self._reader = reader
        self._blobs = BlobStore(js)

    async def of(self, run_id: str, problem_id: str) -> RecordedPort | None:
        """The recorded answers for a problem; none where its run is no replay."""
        started = await self._reader.run_started(run_id)
        if started is None or started.replays is None:
            return None

        async def _reload() -> Case:
            return await self._reader.load_case(run_id, problem_id)

        return RecordedAnswers(started.replays, problem_id, self._fetch, _reload)

    async def _fetch(self, subject: str) -> AnyEvent | None:
        while True:
            try:
                message = await self._js.get_msg(RECORDED, subject=subject, direct=True)
            except NotFoundError:
                # A replica that is behind has nothing either: only the leader can tell.
                at_leader = await self._js.stream_info(RECORDED, subjects_filter=subject)
                if not at_leader.state.subjects:
                    return None
                await asyncio.sleep(_LOOK_AGAIN_S)
            else:
                if is_echo(message.headers):
                    return None
                return await decode(message.data or b"", self._blobs)
