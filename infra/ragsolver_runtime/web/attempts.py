"""The attempts at a problem: sketch, candidates, critique; and one candidate in full."""

from collections.abc import Iterable

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.lean import Diagnostic
from ragsolver_contracts.plan import Hole
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.verdict import VerdictStatus
from ragsolver_runtime.run_report import CandidateEntry
from ragsolver_runtime.web.marked import MarkedText, marked


class ShownHole(Model):
    """A hole of a sketch, and the problem that it became."""

    hole: str
    statement: str
    child: str = ""
    outcome: Outcome | None = None


class CandidateLine(Model):
    """One candidate in a list."""

    candidate: int
    strategy: str
    negated: bool
    status: str
    reason: str = ""
    detail: str = ""
    elapsed_ms: float = 0.0
    judged_by: str = ""
    proof: str
    """Its first characters."""


class Attempt(Model):
    """One attempt."""

    attempt: int
    plan: int
    engine: str
    stage: str
    reason: str = ""
    text: str = ""
    proof: str = ""
    negated: bool = False
    holes: tuple[ShownHole, ...] = ()
    used: tuple[str, ...] = ()
    offered: int = 0
    candidates: tuple[CandidateLine, ...] = ()
    error: str = ""
    route: str = ""
    advice: str = ""
    missing: tuple[str, ...] = ()


class ShownCandidate(Model):
    """One candidate with its verdict."""

    attempt: int
    line: CandidateLine
    texts: tuple[MarkedText, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    goals: tuple[str, ...] = ()
    axioms: tuple[str, ...] = ()
    citations: tuple[str, ...] = ()
    source: str = ""
    """The complete text that Lean checked."""
    isolation: str = ""
    cpu_ms: float = 0.0
    memory_mb: float = 0.0


_SHOWN = 160


def attempts_of(case: Case, candidates: Iterable[CandidateEntry]) -> tuple[Attempt, ...]:
    """Every attempt, in order.

    Args:
        case: the problem.
        candidates: all of its candidates.
    """
    by_attempt: dict[int, list[CandidateLine]] = {}
    for entry in candidates:
        by_attempt.setdefault(entry.attempt, []).append(_line(entry))
    numbers = sorted({*case.sketches, *by_attempt, *case.critiques})
    return tuple(_attempt(case, number, by_attempt.get(number, [])) for number in numbers)


def _line(entry: CandidateEntry) -> CandidateLine:
    return CandidateLine(
        candidate=entry.candidate,
        strategy=entry.strategy,
        negated=entry.negated,
        status=entry.status,
        reason=entry.reason,
        detail=entry.detail[:_SHOWN],
        elapsed_ms=entry.elapsed_ms,
        judged_by=entry.judged_by,
        proof=entry.proof[:_SHOWN],
    )


def _attempt(case: Case, number: int, lines: list[CandidateLine]) -> Attempt:
    sketch, critique = case.sketches.get(number), case.critiques.get(number)
    return Attempt(
        attempt=number,
        plan=sketch.plan if sketch else 0,
        engine=sketch.engine if sketch else "",
        stage=sketch.stage if sketch else "",
        reason=sketch.reason if sketch else "",
        text=sketch.text if sketch else "",
        proof=sketch.proof if sketch else "",
        negated=sketch.negated if sketch else False,
        holes=_holes(case, number, sketch.holes if sketch else ()),
        used=sketch.used_citations if sketch else (),
        offered=len(sketch.offered_citations) if sketch else 0,
        candidates=tuple(lines),
        error=critique.error_class.value if critique else "",
        route=critique.route.value if critique else "",
        advice=critique.advice if critique else "",
        missing=critique.missing_identifiers if critique else (),
    )


def _holes(case: Case, attempt: int, holes: Iterable[Hole]) -> tuple[ShownHole, ...]:
    """Holes as they were sketched; where they became problems, those with their ends."""
    split = case.decompositions.get(attempt)
    if split is None:
        return tuple(ShownHole(hole=h.hole_id, statement=h.statement) for h in holes)
    ended = case.closed_holes
    return tuple(
        ShownHole(
            hole=child.hole_id,
            statement=child.formal_statement,
            child=child.problem_id,
            outcome=closed.outcome if (closed := ended.get((attempt, child.hole_id))) else None,
        )
        for child in split.children
    )


def candidate_of(
    case: Case, entries: Iterable[CandidateEntry], attempt: int, candidate: int
) -> ShownCandidate | None:
    """One candidate with Lean's messages in their places; none where there is no such one."""
    proposed = case.candidates.get((attempt, candidate))
    entry = next((e for e in entries if (e.attempt, e.candidate) == (attempt, candidate)), None)
    if proposed is None or entry is None:
        return None
    issued = case.verdicts.get((attempt, candidate))
    verdict = issued.verdict if issued is not None else None
    said = verdict.diagnostics if verdict is not None else ()
    if verdict is not None and verdict.status is VerdictStatus.ACCEPTED:
        said = tuple(item for item in said if item.severity != "info")
    parts = [("preamble", proposed.text.preamble), ("proof", proposed.text.proof)]
    return ShownCandidate(
        attempt=attempt,
        line=_line(entry).model_copy(update={"detail": entry.detail, "proof": ""}),
        texts=tuple(marked(text, part, said) for part, text in parts if text),
        diagnostics=said,
        goals=verdict.goals if verdict else (),
        axioms=verdict.axioms if verdict else (),
        citations=proposed.citations,
        source=verdict.source if verdict else "",
        isolation=", ".join(layer.value for layer in verdict.isolation.layers) if verdict else "",
        cpu_ms=verdict.cpu_ms if verdict else 0.0,
        memory_mb=verdict.memory_mb if verdict else 0.0,
    )
