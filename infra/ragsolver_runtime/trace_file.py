"""A trace file, read once from the front and then problem by problem.

What is remembered of the lines (where each problem's are, which causes were named) stands in a
temporary database on disk, so a trace larger than the memory can be checked, compared and
replayed: at any time one problem is held.
"""

import hashlib
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import RunFinished, RunStarted
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.trace import (
    AnyLine,
    BadLine,
    EndLine,
    TraceLine,
    lines_of,
    parse_line,
)
from ragsolver_runtime.trace_chain import ChainReader

_SCHEMA = """
CREATE TABLE events (
    line INTEGER PRIMARY KEY, start INTEGER, run TEXT, problem TEXT, id TEXT, cause TEXT
);
CREATE INDEX by_problem ON events (run, problem, line);
CREATE INDEX by_id ON events (id);
"""
# A cause may also lie in a problem above or below: `p` and its child `p.a2.h1`.
_BROKEN_CAUSES = """
SELECT effect.line, effect.problem, effect.cause, MIN(cause.line)
FROM events AS effect LEFT JOIN events AS cause
    ON cause.id = effect.cause AND cause.run = effect.run AND (cause.problem = effect.problem
        OR substr(effect.problem, 1, length(cause.problem) + 1) = cause.problem || '.'
        OR substr(cause.problem, 1, length(effect.problem) + 1) = effect.problem || '.')
WHERE effect.run = ? AND effect.cause IS NOT NULL
GROUP BY effect.line HAVING MIN(cause.line) IS NULL OR MIN(cause.line) > effect.line
ORDER BY effect.line
"""
_PROBLEMS = """
SELECT problem FROM events WHERE run = ? AND problem != ? GROUP BY problem ORDER BY MIN(line)
"""
_PLACES = "SELECT line, start FROM events WHERE run = ? AND problem = ? ORDER BY line"


class BrokenCause(NamedTuple):
    """An event whose cause is not before it."""

    line: int
    problem_id: str
    cause: str
    later: int | None
    """Line in which the cause comes; none if it never does."""


@dataclass
class TraceRun:
    """What a trace says of one run as a whole."""

    run_id: str
    started: RunStarted | None = None
    finished: RunFinished | None = None
    lines: int = 0

    @property
    def config(self) -> RunConfig:
        """Its configuration; the default one where its start is missing."""
        return self.started.config if self.started else RunConfig()


@dataclass
class TraceFile:
    """An indexed trace; valid inside `open_trace`."""

    path: Path
    lines: int = 0
    digest: str = ""
    """SHA-256 of the file."""
    chain: ChainReader = field(default_factory=ChainReader)
    runs: OrderedDict[str, TraceRun] = field(default_factory=OrderedDict)
    first_fault: tuple[int, str] | None = None
    """Line and what is wrong with it, of the first line that is bad or breaks the chain."""
    _stream: BinaryIO = field(init=False, repr=False)
    _database: sqlite3.Connection = field(init=False, repr=False)

    def line_of(self, event_id: str | None) -> int | None:
        """The first line of an event by its id; none where it is not in the trace."""
        asked = "SELECT MIN(line) FROM events WHERE id = ?"
        found: int | None = self._database.execute(asked, (event_id,)).fetchone()[0]
        return found

    def problem_ids(self, run_id: str) -> Iterator[str]:
        """Every problem and refused input of a run, in the order of their first lines."""
        for (problem,) in self._database.execute(_PROBLEMS, (run_id, RUN_SCOPE)):
            yield problem

    def has_problem(self, run_id: str, problem_id: str) -> bool:
        """Whether the run has events of this problem."""
        asked = "SELECT 1 FROM events WHERE run = ? AND problem = ? LIMIT 1"
        return self._database.execute(asked, (run_id, problem_id)).fetchone() is not None

    def events(self, run_id: str, problem_id: str) -> Iterator[AnyEvent]:
        """The valid events of one problem, in the order of the file."""
        for number, start in self._database.execute(_PLACES, (run_id, problem_id)).fetchall():
            self._stream.seek(start)
            line = parse_line(number, self._stream.readline())
            if isinstance(line, TraceLine):
                yield line.event

    def case(self, run_id: str, problem_id: str) -> Case:
        """The fold of one problem."""
        config = self.runs[run_id].config
        return Case.fold(run_id, problem_id, self.events(run_id, problem_id), config)

    def cases(self, run_id: str) -> Iterator[Case]:
        """The folds of a run's problems, one at a time."""
        for problem_id in self.problem_ids(run_id):
            yield self.case(run_id, problem_id)

    def broken_causes(self, run_id: str) -> Iterator[BrokenCause]:
        """Every event of a run whose cause is missing or comes later."""
        yield from map(BrokenCause._make, self._database.execute(_BROKEN_CAUSES, (run_id,)))

    def only_run(self, run_id: str | None = None) -> TraceRun:
        """The run that is meant: the one named, or the only one.

        Raises:
            ConfigError: there is no such run, none, or more than one to choose from.
        """
        known = ", ".join(list(self.runs)[:5])
        if run_id is not None:
            if run_id not in self.runs:
                raise ConfigError(f"{self.path} has no run {run_id!r}; it has {known or 'none'}")
            return self.runs[run_id]
        if len(self.runs) != 1:
            raise ConfigError(
                f"{self.path} has {len(self.runs)} runs ({known or 'none'}): "
                + ("name one with --run" if self.runs else "it is not a trace")
            )
        return next(iter(self.runs.values()))


Look = Callable[[AnyLine, list[str], TraceFile], None]
"""Told of every line, with what breaks the chain there and what was read before it."""


@contextmanager
def open_trace(path: Path, look: Look | None = None) -> Iterator[TraceFile]:
    """Read a trace file and index it; nothing wrong in it is an error here.

    Args:
        path: JSONL as `trace export` writes it.
        look: told of every line as it is read.

    Raises:
        OSError: the file cannot be read.
    """
    found = TraceFile(path)
    with path.open("rb") as stream, closing(sqlite3.connect("")) as database:
        database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;" + _SCHEMA)
        found._stream, found._database = stream, database  # noqa: SLF001 - made here
        _read(found, stream, database, look)
        yield found


def _read(
    found: TraceFile, stream: BinaryIO, database: sqlite3.Connection, look: Look | None
) -> None:
    state, start = hashlib.sha256(), 0
    insert = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)"
    for number, raw in enumerate(lines_of(stream), start=1):
        state.update(raw)
        place, start = start, start + len(raw)
        if not raw.strip():
            continue
        found.lines += 1
        line = parse_line(number, raw)
        broken = list(_chain_faults(found.chain, line, raw))
        if isinstance(line, TraceLine):
            event = line.event
            run = found.runs.setdefault(event.run_id, TraceRun(event.run_id))
            run.lines += 1
            if isinstance(event.data, RunStarted):
                run.started = event.data
            elif isinstance(event.data, RunFinished):
                run.finished = event.data
        if look is not None:
            look(line, broken, found)
        if isinstance(line, TraceLine):
            row = (number, place, event.run_id, event.problem_id, event.id, event.causationid)
            database.execute(insert, row)
        wrong = line.message if isinstance(line, BadLine) else next(iter(broken), None)
        if wrong is not None and found.first_fault is None:
            found.first_fault = (number, wrong)
    found.digest = state.hexdigest()
    ended = found.chain.end()
    if ended is not None and found.first_fault is None:
        found.first_fault = (found.chain.last_line, ended)
    database.commit()


def _chain_faults(chain: ChainReader, line: AnyLine, raw: bytes) -> Iterator[str]:
    match line:
        case BadLine():
            chain.unreadable(line.number)
        case EndLine():
            record = line.record
            yield from chain.line(line.number, raw, record.previous, count=record.count)
        case TraceLine():
            previous = line.record.previous if line.record.digest is not None else None
            yield from chain.line(line.number, raw, previous)


def require_sound(trace: TraceFile) -> None:
    """Refuse a file that is no trace, or whose lines are not as they were exported.

    Raises:
        ConfigError: with the first line that is wrong.
    """
    if not trace.lines:
        raise ConfigError(f"{trace.path} is empty: it is not a trace")
    if trace.first_fault is not None:
        number, wrong = trace.first_fault
        raise ConfigError(
            f"{trace.path} line {number}: {wrong} (ragsolver trace verify {trace.path.name} "
            "lists everything that is wrong)"
        )
