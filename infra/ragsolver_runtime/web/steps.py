"""What happened to a problem, step by step, in words for a person."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from ragsolver_contracts.base import Model
from ragsolver_contracts.events import AnyEvent
from ragsolver_runtime.render import one_line
from ragsolver_runtime.web.lines import counted, words
from ragsolver_runtime.web.timeline import groups_of

_LONGEST = 240
_LISTED = 6


class Fact(Model):
    """One detail of a step."""

    label: str
    text: str
    lean: bool = False
    """Whether it is Lean text or a name."""
    problem: str = ""
    """The problem that it leads to."""


class Step(Model):
    """One step: the events that one process emitted for one cause."""

    number: int
    name: str
    """Event name."""
    role: str
    source: str
    at_ms: float
    """From the problem's first event to the last of the step."""
    took_ms: float | None = None
    """From its cause."""
    title: str
    tone: str = ""
    """`good`, `bad`, `warn` or nothing."""
    attempt: int | None = None
    call: int | None = None
    facts: tuple[Fact, ...] = ()


def steps_of(events: Sequence[AnyEvent]) -> tuple[Step, ...]:
    """The steps, in the order of the stream; reservations of calls are left to the calls."""
    if not events:
        return ()
    began = min(event.time for event in events)
    at = {e.id: (e.time - began).total_seconds() * 1000 for e in events}
    groups = [g for g in groups_of(events) if g[0].name != "llm_reserved"]
    return tuple(_step(number, group, at) for number, group in enumerate(groups, 1))


def _step(number: int, group: list[AnyEvent], at: dict[str, float]) -> Step:
    first, end = group[0], max(at[event.id] for event in group)
    caused = at.get(first.causationid or "")
    title, tone, facts = _TELLS[first.name]([event.data for event in group])
    return Step(
        number=number,
        name=first.name,
        role=first.role,
        source=first.source,
        at_ms=end,
        took_ms=max(0.0, end - caused) if caused is not None else None,
        title=title,
        tone=tone,
        attempt=getattr(first.data, "attempt", None) or None,
        call=getattr(first.data, "call", None),
        facts=tuple(fact for fact in facts if fact.text),
    )


Told = tuple[str, str, list[Fact]]


def _fact(label: str, text: str, *, lean: bool = False, problem: str = "") -> Fact:
    return Fact(label=label, text=one_line(text, _LONGEST), lean=lean, problem=problem)


def _submitted(group: list[Any]) -> Told:
    problem = group[0].problem
    facts = [_fact("words", problem.informal_statement or "")]
    facts.append(_fact("Lean", problem.formal_statement or "", lean=True))
    return ("Submitted", "", facts)


def _refused(group: list[Any]) -> Told:
    data = group[0]
    return (f"Refused: {words(data.reason.value)}", "warn", [_fact("why", data.message)])


def _checked(group: list[Any]) -> Told:
    data = group[0]
    if data.statable:
        header = "under the core-Lean header" if data.compatibility else ""
        facts = [_fact("reads", data.view.type, lean=True), _fact("header", header)]
        return ("Lean reads the statement", "", facts)
    reason = words(data.reason.value)
    return (f"Lean cannot read it: {reason}", "warn", [_fact("why", data.detail)])


def _proposed_statement(group: list[Any]) -> Told:
    data = group[0]
    facts = [_fact("Lean", data.formal_statement, lean=True), _fact("notes", data.notes)]
    return (f"Statement {data.statement} written by a model", "", facts)


def _judged(group: list[Any]) -> Told:
    data = group[0]
    said = "faithful to the words" if data.faithful else "not what the words say"
    facts = [_fact("why", data.reason), *(_fact("differs", issue) for issue in data.issues)]
    return (f"Statement {data.statement} is {said}", "" if data.faithful else "warn", facts)


def _planned(group: list[Any]) -> Told:
    data = group[0]
    facts = []
    for goal in data.subgoals[:_LISTED]:
        facts.append(_fact(goal.subgoal_id, goal.statement_nl))
        facts.append(_fact("searches", " · ".join(goal.search_queries)))
    return (f"Plan {data.plan}: {counted(len(data.subgoals), 'subgoal')}", "", facts)


def _retrieved(group: list[Any]) -> Told:
    hits = [hit for data in group for hit in data.result.hits]
    after = f" after attempt {group[0].attempt}" if group[0].attempt else ""
    labels = ", ".join(hit.citation.label for hit in hits[:_LISTED])
    more = f" and {len(hits) - _LISTED} more" if len(hits) > _LISTED else ""
    title = f"{counted(len(hits), 'passage')} found{after}"
    return (title, "", [_fact("found", labels + more, lean=True)])


def _sketched(group: list[Any]) -> Told:
    data = group[0]
    how = f"stage {data.stage}" if data.stage else "a model's sketch"
    facts = [_fact("why", data.reason), _fact("sketch", data.text)]
    facts.append(_fact("cites", ", ".join(data.used_citations)))
    return (f"Attempt {data.attempt}: {how}", "", facts)


def _candidates(group: list[Any]) -> Told:
    kinds = list(dict.fromkeys(data.strategy for data in group))
    listed = ", ".join(kinds[:_LISTED]) + (" …" if len(kinds) > _LISTED else "")
    title = f"{counted(len(group), 'candidate')} in attempt {group[0].attempt}"
    return (title, "", [_fact("by", listed, lean=True)])


def _verdicts(group: list[Any]) -> Told:
    counts = Counter(data.verdict.status.value for data in group)
    names = ("accepted", "rejected", "inconclusive")
    said = ", ".join(f"{counts[name]} {name}" for name in names if counts[name])
    reasons = Counter(words(d.verdict.reason.value) for d in group if d.verdict.reason)
    why = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    spent = sum(data.verdict.elapsed_ms for data in group)
    facts = [_fact("because of", why), _fact("Lean", f"{spent / 1000:.2f} s")]
    return (f"Verdicts: {said}", "good" if counts["accepted"] else "", facts)


def _critiqued(group: list[Any]) -> Told:
    data = group[0]
    title = f"Critique: {words(data.error_class.value)}, then {words(data.route.value)}"
    missing = ", ".join(data.missing_identifiers)
    return (title, "", [_fact("advice", data.advice), _fact("missing", missing, lean=True)])


def _abandoned(group: list[Any]) -> Told:
    data = group[0]
    return (f"The {data.agent} got no answer of a model", "warn", [_fact("why", data.message)])


def _split(group: list[Any]) -> Told:
    children = group[0].children
    facts = [
        _fact(child.hole_id, child.formal_statement, lean=True, problem=child.problem_id)
        for child in children
    ]
    return (f"{counted(len(children), 'hole')} become problems of their own", "", facts)


def _closed(group: list[Any]) -> Told:
    data = group[0]
    facts = [_fact("child", data.child_id, problem=data.child_id), _fact("said", data.message)]
    tone = "good" if data.outcome.value == "solved" else "warn"
    return (f"Hole {data.hole_id}: {words(data.outcome.value)}", tone, facts)


def _called(group: list[Any]) -> Told:
    data = group[0]
    tokens = f"{data.input_tokens} in, {data.output_tokens} out"
    facts = [_fact("model", data.model), _fact("tokens", tokens), _fact("error", data.error)]
    tone = "" if data.outcome.value == "answered" else "warn"
    title = f"Call {data.call}: {data.agent} asks a model ({words(data.purpose)})"
    said = "" if tone == "" else f", {words(data.outcome.value)}"
    return (title + said, tone, facts)


def _solved(group: list[Any]) -> Told:
    return ("Proved", "good", [_fact("by", group[0].report.message)])


def _failed(group: list[Any]) -> Told:
    data = group[0]
    false = data.outcome.value == "statement_false"
    title = "The statement is false" if false else words(data.outcome.value).capitalize()
    return (title, "warn" if false else "bad", [_fact("why", data.message)])


def _broken(group: list[Any]) -> Told:
    data = group[0]
    facts = [_fact("error", f"{data.error}: {data.message}")]
    return (f"The {data.failed_role} failed at {data.stage}", "bad", facts)


def _cancelled(group: list[Any]) -> Told:
    data = group[0]
    return (f"Cancelled by {data.requested_by}", "warn", [_fact("why", data.reason)])


def _of_run(group: list[Any]) -> Told:
    return (words(group[0].NAME), "", [])


_TELLS: dict[str, Callable[[list[Any]], Told]] = {
    "run_started": _of_run,
    "run_finished": _of_run,
    "problem_submitted": _submitted,
    "problem_refused": _refused,
    "statement_checked": _checked,
    "statement_proposed": _proposed_statement,
    "statement_judged": _judged,
    "problem_planned": _planned,
    "evidence_retrieved": _retrieved,
    "proof_sketched": _sketched,
    "candidate_proposed": _candidates,
    "verdict_issued": _verdicts,
    "attempt_critiqued": _critiqued,
    "attempt_abandoned": _abandoned,
    "problem_decomposed": _split,
    "hole_closed": _closed,
    "llm_reserved": _of_run,
    "llm_called": _called,
    "problem_solved": _solved,
    "problem_failed": _failed,
    "work_failed": _broken,
    "problem_cancelled": _cancelled,
}
"""By event name; a test holds that none is missing."""
