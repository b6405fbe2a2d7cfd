"""Where two runs of a problem part, and why: the first fact that differs, in the order of work."""

import json
from collections.abc import AsyncIterator, Mapping
from enum import StrEnum
from typing import Any

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemCancelled, ProblemRefused
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemPlanned,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.state import Slot, exchanges, facts_of, order_of, state_of
from ragsolver_runtime.recorded import BY_REPLAY
from ragsolver_runtime.replay.source import RunSource
from ragsolver_runtime.replay.touched import config_differences

_SHOWN = 100
_BEFORE = 30
_ABSENT = object()
_DEFAULT = object()
"""A field that is left out of a state because it has its default."""


class Cause(StrEnum):
    """What kind of difference comes first."""

    CONFIGURATION = "configuration"
    RETRIEVAL = "retrieval"
    VERDICT = "verdict"
    LIMITS = "timing or limits"
    LLM_ANSWER = "LLM answer"
    PROMPT = "prompt"
    """The prompt file of a request is another one."""
    REQUEST = "LLM request"
    """A model was asked something else, or only in one of the runs."""
    TOOLCHAIN = "toolchain"
    INPUT = "input"
    """Only one of the runs has the problem, or it asks something else."""
    DECISION = "decision"
    """The same question and configuration, decided otherwise: other program versions."""


class Parting(Model):
    """The first difference between two runs of one problem."""

    problem_id: str
    cause: Cause
    worker: str
    """Role that said it."""
    event: str
    """Event name and what it decides, for example `verdict_issued 2.3`."""
    field: str
    """JSON pointer into the event's facts; empty where one run does not have it at all."""
    old: str
    new: str
    """Both values, shortened around their first difference."""
    detail: str = ""


WORKER: Mapping[str, str] = {
    "problem": "intake",
    StatementChecked.NAME: "verifier",
    ProblemPlanned.NAME: "planner",
    EvidenceRetrieved.NAME: "retriever",
    ProofSketched.NAME: "generator",
    CandidateProposed.NAME: "formalizer",
    VerdictIssued.NAME: "verifier",
    "check_failed": "verifier",
    AttemptCritiqued.NAME: "critic",
    "end": "critic",
}


def first_difference(old: Case, new: Case) -> Parting | None:
    """Where two runs of a problem part; none where their states are the same."""
    was, now = state_of(old), state_of(new)
    if was == now:
        return None
    if _stopped(new):
        return _before_the_stop(old, new) or _parting(old, new, Slot("end"), was, now)
    if (old.outcome is Outcome.CANCELLED) != (new.outcome is Outcome.CANCELLED):
        # How far a cancelled problem had come says nothing.
        return _parting(old, new, Slot("end"), was, now)
    # Both orders agree up to the first difference, which is all that is looked for.
    order_old, order_new = order_of(old), order_of(new)
    slots = sorted(
        (slot for slot in was.keys() | now.keys() if was.get(slot) != now.get(slot)),
        key=lambda slot: (order_old(slot) if slot in was else order_new(slot), str(slot)),
    )
    return _parting(old, new, slots[0], was, now)


def _stopped(case: Case) -> bool:
    """Whether a replay ended it because an answer is not recorded: always at the same place."""
    cancelled = case.first(ProblemCancelled)
    return cancelled is not None and cancelled.requested_by == BY_REPLAY


def _before_the_stop(old: Case, new: Case) -> Parting | None:
    """What led to the question that nobody had answered; none where nothing differs before it."""
    was, now = facts_of(old), facts_of(new)
    order = order_of(old)
    slots = [slot for slot in now if slot in was and was[slot] != now[slot]]
    found = min((s for s in slots if s.name != "end"), key=order, default=None)
    return _parting(old, new, found, was, now) if found is not None else None


async def partings(old: RunSource, new: RunSource) -> AsyncIterator[Parting]:
    """Every problem in which two runs differ, with the first difference of each."""
    seen: set[str] = set()
    for run in (old, new):
        async for problem_id in run.problem_ids():
            if problem_id in seen:
                continue
            seen.add(problem_id)
            was, now = await old.case(problem_id), await new.case(problem_id)
            found = first_difference(was, now)
            if found is not None:
                yield found


def _parting(
    old: Case, new: Case, slot: Slot, was: dict[Slot, Any], now: dict[Slot, Any]
) -> Parting:
    before, after = was.get(slot, _ABSENT), now.get(slot, _ABSENT)
    pointer, left, right = _where(before, after)
    cause, detail = _why(old, new, slot, pointer)
    return Parting(
        problem_id=new.problem_id,
        cause=cause,
        worker=_worker(slot, old, new),
        event=str(slot),
        field=pointer,
        old=_shown(left, right),
        new=_shown(right, left),
        detail=detail,
    )


def _where(before: Any, after: Any, pointer: str = "") -> tuple[str, Any, Any]:
    """Pointer and values of the first difference of two JSON values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            if before.get(key, _DEFAULT) != after.get(key, _DEFAULT):
                name = str(key).replace("~", "~0").replace("/", "~1")
                inner = (before.get(key, _DEFAULT), after.get(key, _DEFAULT))
                return _where(*inner, f"{pointer}/{name}")
    if isinstance(before, list) and isinstance(after, list):
        for place, (one, other) in enumerate(zip(before, after, strict=False)):
            if one != other:
                return _where(one, other, f"{pointer}/{place}")
        place = min(len(before), len(after))
        longer = before[place] if len(before) > place else _ABSENT
        other = after[place] if len(after) > place else _ABSENT
        return f"{pointer}/{place}", longer, other
    return pointer, before, after


def _shown(value: Any, other: Any) -> str:
    """A value, cut to what can be read: around the place where the other one differs."""
    if value is _ABSENT:
        return "(not there)"
    if value is _DEFAULT:
        return "(its default)"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    beside = other if isinstance(other, str) else json.dumps(other, default=str)
    if len(text) <= _SHOWN:
        return text
    same = next((i for i, (a, b) in enumerate(zip(text, beside, strict=False)) if a != b), 0)
    start = max(0, min(same - _BEFORE, len(text) - _SHOWN))
    cut = text[start : start + _SHOWN]
    return f"{'…' if start else ''}{cut}{'…' if start + _SHOWN < len(text) else ''}"


def _why(old: Case, new: Case, slot: Slot, pointer: str) -> tuple[Cause, str]:
    if slot.name == "problem" or old.problem is None or new.problem is None:
        return Cause.INPUT, ""
    for case in (new, old):
        cancelled = case.first(ProblemCancelled)
        if slot.name == "end" and cancelled is not None:
            said = Cause.LLM_ANSWER if cancelled.requested_by == BY_REPLAY else Cause.INPUT
            return said, cancelled.reason
    if slot.name == LlmCalled.NAME:
        return _why_called(old, new, slot, pointer)
    if "/lean" in pointer:
        return Cause.TOOLCHAIN, ""
    changed = [reason.what for reason in config_differences(old.config, new.config)]
    if slot.name == EvidenceRetrieved.NAME:
        return Cause.RETRIEVAL, _listed(changed)
    if slot.name == "check_failed" or _limited(old, new, slot):
        return Cause.LIMITS, ""
    if slot.name in {VerdictIssued.NAME, StatementChecked.NAME} and pointer:
        return Cause.VERDICT, _listed(changed)
    if changed:
        return Cause.CONFIGURATION, _listed(changed)
    if None in {old.outcome, new.outcome}:
        return Cause.LIMITS, "one of the runs is not finished"
    return Cause.DECISION, ""


def _why_called(old: Case, new: Case, slot: Slot, pointer: str) -> tuple[Cause, str]:
    """Whether a request was answered otherwise, or is another request."""
    asked = next((call for call in (_called(new, slot), _called(old, slot)) if call), None)
    which = f"the {asked.agent}'s {asked.purpose}" if asked else ""
    if pointer in {"/response", "/outcome"}:
        return Cause.LLM_ANSWER, which
    changed = _listed([reason.what for reason in config_differences(old.config, new.config)])
    if pointer in {"/prompt_id", "/prompt_hash"}:
        return Cause.PROMPT, which
    said = "; ".join(part for part in (which, changed) if part)
    return (Cause.CONFIGURATION if changed else Cause.REQUEST), said


def _called(case: Case, slot: Slot) -> LlmCalled | None:
    found = exchanges(case)
    place = int(slot.decides[0]) - 1
    data = found[place].data if place < len(found) else None
    return data if isinstance(data, LlmCalled) else None


def _limited(old: Case, new: Case, slot: Slot) -> bool:
    """Whether a limit of time or memory is what makes two verdicts differ."""
    if slot.name != VerdictIssued.NAME:
        return False
    key = (int(slot.decides[0]), int(slot.decides[1]))
    found = [case.verdicts[key].verdict for case in (old, new) if key in case.verdicts]
    return any(verdict.status.value == "inconclusive" for verdict in found)


def _worker(slot: Slot, old: Case, new: Case) -> str:
    if slot.name == "end" and (new.first(ProblemRefused) or old.first(ProblemRefused)):
        return "critic" if new.problem is not None else "intake"
    if slot.name == LlmCalled.NAME:
        calls = (_called(new, slot), _called(old, slot))
        return next((call.agent for call in calls if call is not None), "")
    return WORKER.get(slot.name, "")


def _listed(fields: list[str]) -> str:
    return f"changed: {', '.join(fields)}" if fields else ""
