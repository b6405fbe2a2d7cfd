"""An event in one line, for a list of events.

What is said is data of problems and models: untrusted, and plain text everywhere.
"""

from collections.abc import Callable
from typing import Any

from pydantic import AwareDatetime

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_runtime.render import one_line
from ragsolver_runtime.wire import InvalidStored, StoredEvent

_LONGEST = 120


class EventLine(Model):
    """One stored message."""

    seq: int
    """Sequence in the stream: the place to go on from."""
    name: str
    problem: str = ""
    """Empty for events of the run as a whole."""
    source: str = ""
    time: AwareDatetime | None = None
    text: str = ""
    """What it says, in a few words."""
    recorded: bool = False
    """Whether a replay used a recorded answer."""


def line_of(stored: StoredEvent | InvalidStored) -> EventLine:
    """The line of a stored message."""
    if isinstance(stored, InvalidStored):
        pointer, why = stored.problems[0] if stored.problems else ("", "cannot be read")
        text = one_line(f"{pointer} {why}", _LONGEST)
        return EventLine(seq=stored.sequence, name="invalid", text=text)
    event = stored.event
    return EventLine(
        seq=stored.sequence,
        name=event.name,
        problem="" if event.problem_id == RUN_SCOPE else event.problem_id,
        source=event.source,
        time=event.time,
        text=one_line(said(event), _LONGEST),
        recorded=event.recordedfrom is not None,
    )


def said(event: AnyEvent) -> str:
    """What the event says, in a few words."""
    return _SAYS[event.name](event.data)


def words(name: str) -> str:
    """`not_proved` as a person writes it."""
    return name.replace("_", " ")


def counted(count: int, what: str, many: str = "") -> str:
    """`1 candidate`, `2 candidates`, `3 queries`."""
    return f"{count} {what if count == 1 else many or what + 's'}"


def _verdict(data: Any) -> str:
    verdict = data.verdict
    reason = f", {words(verdict.reason.value)}" if verdict.reason else ""
    return f"{data.attempt}.{data.candidate} {verdict.status.value}{reason}"


def _called(data: Any) -> str:
    tokens = data.input_tokens + data.output_tokens
    return f"{data.agent} asked to {words(data.purpose)}: {words(data.outcome)}, {tokens} tokens"


def _statement(data: Any) -> str:
    if data.statable:
        return "Lean reads the statement"
    return f"{words(data.reason.value)}: {data.detail}"


def _reserved(data: Any) -> str:
    if data.granted_to:
        return f"{counted(data.calls, 'call')} granted to {data.granted_to}"
    return f"call {data.call} reserved by {data.agent}"


_SAYS: dict[str, Callable[[Any], str]] = {
    "run_started": lambda d: f"configuration {d.config.name}",
    "problem_submitted": lambda d: (
        d.problem.formal_statement or d.problem.informal_statement or ""
    ),
    "problem_refused": lambda d: f"{words(d.reason.value)}: {d.message}",
    "statement_checked": _statement,
    "statement_proposed": lambda d: d.formal_statement,
    "statement_judged": lambda d: f"{'faithful' if d.faithful else 'not faithful'}: {d.reason}",
    "problem_planned": lambda d: f"plan {d.plan}: {counted(len(d.subgoals), 'subgoal')}",
    "evidence_retrieved": lambda d: f"{counted(len(d.result.hits), 'hit')} for {d.subgoal_id}",
    "proof_sketched": lambda d: f"attempt {d.attempt}: {d.stage or 'sketch of a model'}",
    "candidate_proposed": lambda d: f"{d.attempt}.{d.candidate} {d.strategy}",
    "verdict_issued": _verdict,
    "attempt_critiqued": lambda d: (
        f"attempt {d.attempt}: {words(d.error_class.value)}, then {words(d.route.value)}"
    ),
    "attempt_abandoned": lambda d: f"{d.agent} got no answer in attempt {d.attempt}",
    "problem_decomposed": lambda d: f"{counted(len(d.children), 'hole')} become problems",
    "hole_closed": lambda d: f"{d.child_id}: {words(d.outcome.value)}",
    "llm_reserved": _reserved,
    "llm_called": _called,
    "problem_solved": lambda d: d.report.message,
    "problem_failed": lambda d: f"{words(d.outcome.value)}: {d.message}",
    "work_failed": lambda d: f"{d.failed_role} failed at {d.stage}: {d.error}: {d.message}",
    "problem_cancelled": lambda d: f"asked by {d.requested_by}. {d.reason}",
    "run_finished": lambda d: ", ".join(f"{n} {words(o)}" for o, n in sorted(d.outcomes.items())),
}
"""By event name; a test holds that none is missing."""
