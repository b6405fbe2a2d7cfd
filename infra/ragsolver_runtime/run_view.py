"""What a person wants to know of a run while it goes on, kept up event by event.

A view takes events in any order and any number of times; it keeps no candidate and no passage, so
a run of thousands of problems fits in memory. Decisions are never made here: workers fold a
`Case` of their own.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    RunFinished,
    RunStarted,
    WorkFailed,
)
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import REFUSED_INPUT_PREFIX, RUN_SCOPE
from ragsolver_contracts.report import Outcome, SolutionReport
from ragsolver_runtime.model_use import CallCounter

_RANK = (Outcome.CANCELLED, Outcome.REFUSED, Outcome.INFRASTRUCTURE, Outcome.NOT_PROVED)


class Stage(StrEnum):
    """How far an open problem has come, in the order of the work."""

    SUBMITTED = "submitted"
    STATED = "stated"
    PLANNED = "planned"
    RETRIEVED = "retrieved"
    PROVING = "proving"
    ENDED = "ended"


_ORDER = tuple(Stage)
_STAGE: dict[type[object], Stage] = {
    ProblemSubmitted: Stage.SUBMITTED,
    StatementChecked: Stage.STATED,
    ProblemPlanned: Stage.PLANNED,
    EvidenceRetrieved: Stage.RETRIEVED,
    ProofSketched: Stage.PROVING,
    CandidateProposed: Stage.PROVING,
    VerdictIssued: Stage.PROVING,
    AttemptCritiqued: Stage.PROVING,
}


@dataclass
class ProblemView:
    """One problem, or one input that never became a problem."""

    problem_id: str
    name: str = ""
    file: str = ""
    line: int | None = None
    dataset: str = ""
    licence: str = ""
    split: str = ""
    parent: str = ""
    """Of a child problem: the problem whose sketch has the hole."""
    stage: Stage = Stage.SUBMITTED
    attempt: int = 0
    events: int = 0
    candidates: int = 0
    verdicts: int = 0
    outcome: Outcome | None = None
    reason: str = ""
    """Why it was refused, in one word."""
    message: str = ""
    report: SolutionReport | None = None
    compatibility: bool = False
    """The statement elaborates only under the core-Lean compatibility header."""
    dead_letters: int = 0
    first_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def was_input_only(self) -> bool:
        """Whether it was refused before it was a problem."""
        return self.problem_id.startswith(REFUSED_INPUT_PREFIX)

    @property
    def label(self) -> str:
        """What a person calls it."""
        place = f"line {self.line}" if self.line else self.problem_id
        return self.name or place


@dataclass
class WorkerView:
    """What one worker process did."""

    source: str
    events: Counter[str] = field(default_factory=Counter)
    lean_ms: float = 0.0


@dataclass
class RunView:
    """One run as far as its events were seen."""

    run_id: str
    started: RunStarted | None = None
    finished: RunFinished | None = None
    started_at: datetime | None = None
    last_at: datetime | None = None
    finished_at: datetime | None = None
    problems: dict[str, ProblemView] = field(default_factory=dict)
    """Posted ones, and refused inputs."""
    children: dict[str, ProblemView] = field(default_factory=dict)
    """Holes of sketches: their ends are their parents' and nobody asked for them."""
    workers: dict[str, WorkerView] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    lean_ms: float = 0.0
    calls: CallCounter = field(default_factory=CallCounter)
    """Of language models."""

    def apply(self, event: AnyEvent) -> ProblemView | None:
        """Take one event in; returns its problem where this event ended it.

        Events of other runs and events seen before change nothing.
        """
        if event.run_id != self.run_id or event.id in self.seen:
            return None
        self.seen.add(event.id)
        self.last_at = max(self.last_at or event.time, event.time)
        self._credit(event)
        if event.problem_id == RUN_SCOPE:
            self._apply_run(event)
            return None
        view = self._view(event)
        was_open = view.outcome is None
        _apply_problem(view, event)
        ended = was_open and view.outcome is not None
        return view if ended and not view.parent else None

    def _view(self, event: AnyEvent) -> ProblemView:
        """The problem's view; a child is known as one from the event that submits it."""
        name = event.problem_id
        if name in self.children:
            return self.children[name]
        view = self.problems.setdefault(name, ProblemView(name))
        if isinstance(event.data, ProblemSubmitted) and event.data.problem.parent is not None:
            view.parent = event.data.problem.parent.problem_id
            self.children[name] = self.problems.pop(name)
        return view

    @property
    def open_problems(self) -> list[ProblemView]:
        """Problems that have not ended."""
        return [view for view in self.problems.values() if view.outcome is None]

    def outcomes(self) -> Counter[str]:
        """Number of ended problems by outcome, refused inputs included."""
        ended = (view.outcome for view in self.problems.values())
        return Counter(outcome.value for outcome in ended if outcome is not None)

    def stages(self) -> Counter[Stage]:
        """Number of problems by stage."""
        return Counter(view.stage for view in self.problems.values())

    def _apply_run(self, event: AnyEvent) -> None:
        if isinstance(event.data, RunStarted):
            self.started, self.started_at = event.data, event.time
        elif isinstance(event.data, RunFinished):
            self.finished, self.finished_at = event.data, event.time

    def _credit(self, event: AnyEvent) -> None:
        worker = self.workers.setdefault(event.source, WorkerView(event.source))
        worker.events[event.name] += 1
        self.calls.apply(event)
        if isinstance(event.data, VerdictIssued):
            worker.lean_ms += event.data.verdict.elapsed_ms
            self.lean_ms += event.data.verdict.elapsed_ms


def _apply_problem(view: ProblemView, event: AnyEvent) -> None:
    data = event.data
    view.events += 1
    view.first_at = min(view.first_at or event.time, event.time)
    if isinstance(data, ProblemSubmitted):
        view.name = data.problem.name
        source = data.problem.source
        view.file, view.line, view.split = source.file, source.line, data.problem.split
        view.dataset, view.licence = source.dataset, source.licence
    elif isinstance(data, StatementChecked):
        view.compatibility = data.compatibility
    elif isinstance(data, CandidateProposed):
        view.candidates += 1
    elif isinstance(data, VerdictIssued):
        view.verdicts += 1
    elif isinstance(data, WorkFailed):
        view.dead_letters += 1
    attempt = getattr(data, "attempt", None)
    view.attempt = max(view.attempt, attempt or 0)
    _advance(view, _STAGE.get(type(data), view.stage))
    _end(view, event)


def _end(view: ProblemView, event: AnyEvent) -> None:
    data = event.data
    if isinstance(data, ProblemSolved):
        outcome, message, reason, report = Outcome.SOLVED, data.report.message, "", data.report
    elif isinstance(data, ProblemFailed):
        outcome, message, reason, report = data.outcome, data.message, "", data.report
    elif isinstance(data, ProblemRefused):
        outcome, message, reason, report = Outcome.REFUSED, data.message, data.reason.value, None
        view.name = view.name or data.name
        view.line = view.line if view.line is not None else data.line
    elif isinstance(data, ProblemCancelled):
        asked = f"cancelled by {data.requested_by}"
        message = f"{asked}: {data.reason}" if data.reason else asked
        outcome, reason, report = Outcome.CANCELLED, "", None
    else:
        return
    _advance(view, Stage.ENDED)
    if view.outcome is not None and _weight(view.outcome) >= _weight(outcome):
        return
    view.outcome, view.message, view.reason, view.report = outcome, message, reason, report
    view.ended_at = event.time


def _weight(outcome: Outcome) -> int:
    """A proof outranks a failure, a failure a refusal, a refusal a cancellation."""
    return _RANK.index(outcome) if outcome in _RANK else len(_RANK)


def _advance(view: ProblemView, stage: Stage) -> None:
    view.stage = max(view.stage, stage, key=_ORDER.index)
