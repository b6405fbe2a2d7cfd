"""A recorded run read problem by problem: from a trace file or from a bus, never whole."""

from collections.abc import AsyncIterator
from typing import Protocol

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemRefused, ProblemSubmitted, RunStarted
from ragsolver_contracts.state import run_state_hash, state_hash
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.trace_file import TraceFile
from ragsolver_runtime.wire import StoredEvent


class RunSource(Protocol):
    """One recorded run."""

    @property
    def run_id(self) -> str:
        """The run."""

    async def started(self) -> RunStarted | None:
        """Its start; none where it is missing."""

    def problem_ids(self) -> AsyncIterator[str]:
        """Every problem and refused input, in the order in which they came."""

    async def case(self, problem_id: str) -> Case:
        """The fold of one problem; without events where it has none."""


class FileRun:
    """A run of an opened trace file."""

    def __init__(self, trace: TraceFile, run_id: str) -> None:
        self._trace = trace
        self._run_id = run_id

    @property
    def run_id(self) -> str:
        """The run."""
        return self._run_id

    async def started(self) -> RunStarted | None:
        """Its start; none where it is missing."""
        return self._trace.runs[self._run_id].started

    async def problem_ids(self) -> AsyncIterator[str]:
        """Every problem and refused input, in the order of the file."""
        for problem_id in self._trace.problem_ids(self._run_id):
            yield problem_id

    async def case(self, problem_id: str) -> Case:
        """The fold of one problem."""
        return self._trace.case(self._run_id, problem_id)


class BusRun:
    """A run that is stored on a bus."""

    def __init__(self, reader: EventReader, run_id: str) -> None:
        self._reader = reader
        self._run_id = run_id

    @property
    def run_id(self) -> str:
        """The run."""
        return self._run_id

    async def started(self) -> RunStarted | None:
        """Its start; none where it is missing."""
        return await self._reader.run_started(self._run_id)

    async def problem_ids(self) -> AsyncIterator[str]:
        """Every problem, then every refused input, in the order of the stream."""
        seen: set[str] = set()
        for kind in (ProblemSubmitted, ProblemRefused):
            async for stored in self._reader.stored_of_run(self._run_id, name=kind.NAME):
                if isinstance(stored, StoredEvent) and stored.event.problem_id not in seen:
                    seen.add(stored.event.problem_id)
                    yield stored.event.problem_id

    async def case(self, problem_id: str) -> Case:
        """The fold of one problem."""
        return await self._reader.load_case(self._run_id, problem_id)


async def run_state(run: RunSource, only: frozenset[str] = frozenset()) -> str:
    """State hash of a run, of the problems in `only` or of all."""
    hashes = [
        (problem_id, state_hash(await run.case(problem_id)))
        async for problem_id in run.problem_ids()
        if not only or problem_id in only
    ]
    return run_state_hash(hashes)
