"""What a disturbed run is compared with, and what the stream must say of it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import (
    ProblemRefused,
    ProblemSubmitted,
    RunFinished,
    WorkFailed,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.problem import SubmitReply
from ragsolver_runtime.publish import TERMINAL
from ragsolver_runtime.wire import InvalidStored, StoredEvent

_UNEQUAL = (LlmReserved, LlmCalled, WorkFailed, RunFinished)
"""What a kill may add to: a call that is lost is reserved and asked again."""

Decision = tuple[str, str, str]


@dataclass
class Ledger:
    """What was acknowledged and paid, as the processes noted it themselves."""

    acked: dict[str, set[str]] = field(default_factory=dict)
    """Ids of events by run."""
    paid: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """Requests that a model got, by run, problem and call."""

    @classmethod
    def read(cls, file: Path) -> "Ledger":
        """The whole file."""
        ledger = cls()
        for line in file.read_text().splitlines() if file.exists() else ():
            match line.split(" "):
                case ["acked", run_id, event_id, _]:
                    ledger.acked.setdefault(run_id, set()).add(event_id)
                case ["paid", run_id, problem_id, call]:
                    ledger.paid[run_id, problem_id, int(call)] += 1
                case _:
                    raise AssertionError(f"half a line in the ledger: {line!r}")
        return ledger


@dataclass
class Found:
    """What is wrong with one run, and what it came to; all lists are to be empty."""

    run_id: str
    events: int = 0
    calls: int = 0
    lost_calls: int = 0
    """Made by a process that was killed before it could store the answer; paid, perhaps."""
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    paid_twice: list[str] = field(default_factory=list)
    not_ended: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Of the trace: causation, budget, folds; dead letters; what cannot be read."""

    @property
    def wrong(self) -> list[str]:
        """Everything, each with its kind."""
        kinds = ("lost", "doubled", "paid_twice", "not_ended", "faults")
        return [f"{self.run_id}: {kind}: {said}" for kind in kinds for said in getattr(self, kind)]


def decisions(events: Iterable[AnyEvent]) -> Counter[Decision]:
    """What a run decided, whoever decided it and when."""
    return Counter(
        (event.name, event.problem_id, _decides(event))
        for event in events
        if not isinstance(event.data, _UNEQUAL)
    )


def _decides(event: AnyEvent) -> str:
    """Without the digest of a refused input, in which the run's id is."""
    refused = isinstance(event.data, ProblemRefused)
    return "" if refused else " ".join(map(str, event.data.decides()))


def check(
    run_id: str,
    stored: list[StoredEvent | InvalidStored],
    ledger: Ledger,
    replies: Iterable[SubmitReply],
    undisturbed: Counter[Decision],
) -> Found:
    """Compare a run's part of the stream with what was said and paid, and with a calm run."""
    found = Found(run_id)
    found.faults += [f"invalid {i.subject}" for i in stored if isinstance(i, InvalidStored)]
    events = [item.event for item in stored if isinstance(item, StoredEvent)]
    found.events = len(events)
    ids = Counter(event.id for event in events)
    found.doubled += [f"event {i} is there {n} times" for i, n in ids.items() if n > 1]
    found.lost += [f"acknowledged {i}" for i in sorted(ledger.acked.get(run_id, set()) - set(ids))]
    submitted = {e.problem_id for e in events if isinstance(e.data, ProblemSubmitted)}
    found.lost += [
        f"accepted problem {reply.problem_id}"
        for reply in replies
        if reply.status == "accepted" and reply.problem_id not in submitted
    ]
    made = decisions(events)
    found.lost += [f"decision {key}" for key in sorted((undisturbed - made).keys())]
    found.doubled += [f"decision {key}" for key in sorted((made - undisturbed).keys())]
    ends = Counter(event.problem_id for event in events if isinstance(event.data, TERMINAL))
    found.not_ended += [f"{problem} never ended" for problem in sorted(submitted - set(ends))]
    found.doubled += [f"{problem} ended {n} times" for problem, n in ends.items() if n > 1]
    found.faults += [
        f"{event.problem_id}: work given up: {event.data.failed_role} at {event.data.stage}: "
        f"{event.data.message[:200]}"
        for event in events
        if isinstance(event.data, WorkFailed)
    ]
    _check_calls(found, events, ledger)
    return found


def _check_calls(found: Found, events: list[AnyEvent], ledger: Ledger) -> None:
    """Every request is one recorded call, and no question is answered twice."""
    called = Counter[tuple[str, str, int]]()
    answers = Counter[tuple[str, str | None, str, str]]()
    for event in events:
        if isinstance(event.data, LlmCalled):
            called[found.run_id, event.problem_id, event.data.call] += 1
            found.lost_calls += event.data.outcome is LlmOutcome.LOST
            if event.data.outcome is LlmOutcome.ANSWERED:
                what = (event.data.purpose, event.data.request_hash)
                answers[event.problem_id, event.causationid, *what] += 1
    paid = Counter({key: n for key, n in ledger.paid.items() if key[0] == found.run_id})
    found.calls = paid.total()
    found.paid_twice += [f"call {key[1:]} was made {n} times" for key, n in paid.items() if n > 1]
    found.paid_twice += [
        f"{problem} asked for its {purpose} {n} times with an answer"
        for (problem, _, purpose, _), n in answers.items()
        if n > 1
    ]
    unrecorded = sorted((paid - called).keys())
    found.lost += [f"call {key[1:]} was paid and is not recorded" for key in unrecorded]
