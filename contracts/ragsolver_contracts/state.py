"""The state of a problem as a value and as a hash: what was decided, not when, where or by whom.

Two runs have the same state exactly when they asked the same, got the same answers and ended the
same. Left out of it (behaviour contract `replay`):

- names and times: runs, event ids, causes, sources, times, latencies, memory, process facts;
- sentences for people: messages, details, advice;
- how often a language model had to be asked: of each question only the exchange that answered it
  or refused it for good, never tries that may pass nor calls that were lost, nor what they cost;
- what a race may leave behind: in the attempt that decided the problem only the deciding verdict
  counts and only the candidates up to it; of a cancelled problem only that it was cancelled;
- counts of the report that follow from the rest.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel

from ragsolver_contracts.answers import CandidateKey, decider, reported_proof
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import ProblemRefused
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemPlanned,
    ProblemSolved,
    ProofSketched,
    VerdictIssued,
)
from ragsolver_contracts.ids import digest
from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.retrieval import Citation
from ragsolver_contracts.verdict import VerdictStatus


class Slot(NamedTuple):
    """Where a fact stands: its event name and what it decides."""

    name: str
    decides: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.decides))}".strip()


def state_of(case: Case) -> dict[Slot, Any]:
    """Everything that was decided about a problem, as plain JSON values by slot."""
    if case.outcome is Outcome.CANCELLED:
        return {Slot("problem"): _problem(case), Slot("end"): {"outcome": Outcome.CANCELLED.value}}
    return facts_of(case)


def facts_of(case: Case) -> dict[Slot, Any]:
    """The same with how far a cancelled problem had come, which is a matter of time."""
    return dict(_facts(case))


def state_hash(case: Case) -> str:
    """Hex SHA-256 of a problem's state."""
    facts = sorted((str(slot), value) for slot, value in state_of(case).items())
    return digest(json.dumps(facts, ensure_ascii=False, sort_keys=True))


def run_state_hash(problems: Iterable[tuple[str, str]]) -> str:
    """Hex SHA-256 of a run's state.

    Args:
        problems: problem id and state hash of every problem, in any order.
    """
    return digest(*(part for pair in sorted(problems) for part in pair))


def _facts(case: Case) -> Iterator[tuple[Slot, Any]]:
    if case.problem is not None:
        yield Slot("problem"), _problem(case)
    for checked in case.statements.values():
        yield _slot(checked), _statement(checked)
    for kind in (StatementProposed, StatementJudged, AttemptAbandoned, ProblemDecomposed):
        for item in case.payloads(kind):
            yield _slot(item), _said(item, "notes", "reason", "message")
    for closed in case.closed_holes.values():
        yield _slot(closed), _said(closed, "message", "llm_calls")
    for plan in case.plans.values():
        yield _slot(plan), _said(plan, "plan")
    for evidence in case.evidence.values():
        yield _slot(evidence), _evidence(evidence)
    for sketch in case.sketches.values():
        yield _slot(sketch), _said(sketch, "attempt", "reason")
    yield from _attempts(case, decider(case))
    for critique in case.critiques.values():
        yield _slot(critique), _critique(critique)
    for number, event in enumerate(exchanges(case), 1):
        yield Slot(LlmCalled.NAME, (number,)), _exchange(event.data)
    if case.outcome is not None:
        yield Slot("end"), _end(case)


def exchanges(case: Case) -> list[AnyEvent]:
    """The exchange that settled each question to a language model, by call number.

    A question is known by the delivery that asked it, the agent, the purpose and the request.
    """
    settled: dict[tuple[str | None, ...], AnyEvent] = {}
    for event in case.events_of(LlmCalled):
        called = event.data
        if isinstance(called, LlmCalled) and not called.outcome.passes:
            asked = (event.causationid, called.agent, called.purpose, called.request_hash)
            settled.setdefault(asked, event)
    return list(settled.values())


def _exchange(called: Any) -> dict[str, Any]:
    """What was asked and answered; the request stands in it as its hash."""
    kept = {"agent", "purpose", "prompt_id", "prompt_hash", "model", "parameters"}
    kept |= {"request_hash", "response", "outcome"}
    said: dict[str, Any] = called.model_dump(mode="json", include=kept, exclude_defaults=True)
    return said


def _said(value: BaseModel, *without: str) -> dict[str, Any]:
    """Fields that differ from their defaults.

    So a field that is added later leaves the hashes of older runs alone.
    """
    return value.model_dump(mode="json", exclude=set(without), exclude_defaults=True)


def _slot(payload: Any) -> Slot:
    return Slot(payload.NAME, tuple(payload.decides()))


def _attempts(case: Case, decided_by: CandidateKey | None) -> Iterator[tuple[Slot, Any]]:
    """Candidates, verdicts and failures, without what came after the decision."""
    deciding = decided_by[0] if decided_by else None
    for key, candidate in case.candidates.items():
        if key[0] != deciding or (decided_by and key <= decided_by):
            expected = ("expected_ms", "expected_success")
            yield _slot(candidate), _said(candidate, "attempt", "candidate", *expected)
    for key, issued in case.verdicts.items():
        if key[0] != deciding or key == decided_by:
            yield _slot(issued), _verdict(issued)
    for key in case.candidate_failures:
        if key[0] != deciding and key not in case.verdicts:
            yield Slot("check_failed", key), {}


def _problem(case: Case) -> dict[str, Any]:
    problem = case.problem
    return _said(problem, "problem_id", "split", "source", "input_digest") if problem else {}


def _statement(checked: StatementChecked) -> dict[str, Any]:
    return _said(checked, "detail", "diagnostics", "toolchain") | _lean(checked.toolchain)


def _evidence(evidence: EvidenceRetrieved) -> dict[str, Any]:
    request, result = evidence.request, evidence.result
    return {
        "request": _said(request, "context"),
        "hits": [[hit.chunk_id, hit.rank, hit.citation.citation_id] for hit in result.hits],
        "citations": [_cited(citation) for citation in result.citations],
        "versions": _said(result.trace.versions),
    }


def _verdict(issued: VerdictIssued) -> dict[str, Any]:
    verdict = issued.verdict
    excluded = {"detail", "toolchain", "isolation", "elapsed_ms", "cpu_ms", "memory_mb"}
    if verdict.status is VerdictStatus.INCONCLUSIVE:
        # How far it came before a limit is a matter of time.
        excluded |= {"diagnostics", "goals", "holes", "error_class", "unknown_identifiers"}
        excluded |= {"axioms", "constants", "named_in_proof"}
    return _said(verdict, *excluded) | _lean(verdict.toolchain)


def _critique(critique: AttemptCritiqued) -> dict[str, Any]:
    return _said(critique, "attempt", "advice")


def _end(case: Case) -> dict[str, Any]:
    end: dict[str, Any] = {"outcome": case.outcome.value if case.outcome else None}
    refused = case.first(ProblemRefused)
    if refused is not None:
        end["reason"] = refused.reason.value
    ended: ProblemSolved | ProblemFailed | None = case.first(ProblemSolved)
    ended = ended or case.first(ProblemFailed)
    if ended is None:
        return end
    proof = reported_proof(case)
    if proof is not None:
        end["proof"] = _said(proof, "toolchain", "isolation")
    levels = ended.report.citations
    end["citations"] = {
        level: [_cited(citation) for citation in getattr(levels, level)]
        for level in ("used_in_proof", "used_in_sketch", "consulted")
    }
    end["llm_calls"] = len(exchanges(case))
    return end


def _cited(citation: Citation) -> list[str]:
    return [citation.citation_id, citation.chunk_id]


def _lean(toolchain: LeanToolchain | None) -> dict[str, Any]:
    """The Lean that answered; known advisories are this version's knowledge, not the answer's."""
    return {"lean": _said(toolchain, "advisories", "package") if toolchain else None}


Order = tuple[int, ...]

_AFTER_ALL = (2**31,)


def order_of(case: Case) -> Callable[[Slot], Order]:
    """Key that puts the slots of a case into the order of the work.

    An attempt is a round: sketch, candidates, verdicts, critique; then what the critique led to,
    a plan or a retrieval, which belongs to the next attempt.
    """
    first_round = {
        number: max((n for n, s in case.sketches.items() if s.plan < number), default=0)
        for number in case.plans
    }
    calls = {
        number: _position(first_round, cause)
        for number, call in enumerate(exchanges(case), 1)
        if (cause := case.events.get(call.causationid or "")) is not None
    }

    def _order(slot: Slot) -> Order:
        if slot.name == LlmCalled.NAME:
            number = int(slot.decides[0])
            return (*calls.get(number, (0, 0)), number)
        return _place(first_round, slot)

    return _order


def _position(first_round: dict[int, int], cause: Any) -> Order:
    return _place(first_round, Slot(cause.name, tuple(cause.data.decides())))


def _place(first_round: dict[int, int], slot: Slot) -> Order:
    numbers = tuple(part for part in slot.decides if isinstance(part, int))
    match slot.name:
        case "problem" | "problem_submitted":
            return (-2, 0)
        case StatementChecked.NAME | StatementProposed.NAME | StatementJudged.NAME:
            return (-1, *numbers)
        case ProblemPlanned.NAME:
            return (first_round.get(numbers[0], 0), 5)
        case EvidenceRetrieved.NAME:
            return (max(numbers[1], first_round.get(numbers[0], 0)), 6, *numbers)
        case ProofSketched.NAME:
            return (numbers[0], 1)
        case CandidateProposed.NAME:
            return (numbers[0], 2, *numbers[1:])
        case VerdictIssued.NAME | "check_failed":
            return (numbers[0], 3, *numbers[1:])
        case ProblemDecomposed.NAME | HoleClosed.NAME:
            return (numbers[0], 3)
        case AttemptCritiqued.NAME:
            return (numbers[0], 4)
        case AttemptAbandoned.NAME:
            return (numbers[1], 4)
        case _:
            return _AFTER_ALL
