"""Which recorded answer belongs to which question: one key per expensive request.

A key hashes everything that the answer depends on and nothing else: never a run, an attempt, a
place in a batch or a time. So an answer is found again wherever the same question comes up.
Whether the installation behind the answers is still the same is not part of a key: a replay
compares the versions of both runs (`ragsolver_runtime.replay.touched`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_run import WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    CandidateProposed,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemSolved,
    VerdictIssued,
)
from ragsolver_contracts.ids import digest
from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.problem import Problem
from ragsolver_contracts.report import Proof
from ragsolver_contracts.retrieval import Citation, RetrievalRequest
from ragsolver_contracts.run_config import RunConfig

CandidateKey = tuple[int, int]


class AnswerKind(StrEnum):
    """What was asked."""

    STATEMENT = "statement"
    RETRIEVAL = "retrieval"
    VERDICT = "verdict"
    """Answered by a verdict, by a failure of the check, or by the candidate itself where it was
    never judged because another candidate had decided the problem."""
    DECIDER = "decider"
    """The candidate that decided the problem."""
    LLM = "llm"


class Answer(NamedTuple):
    """One recorded answer with the key of its question."""

    kind: AnswerKind
    key: str
    event: AnyEvent


ONLY = digest("only")
"""Key of a kind that has one answer per problem."""


def statement_key(problem: Problem, config: RunConfig) -> str:
    """Question to Lean: does the statement elaborate, and under which header?"""
    compatibility = str(config.verifier.compatibility_header)
    return _key(problem.header, problem.formal_statement, compatibility)


def retrieval_key(request: RetrievalRequest, cited: Mapping[str, Citation]) -> str:
    """Question to the retriever; chunks that are cited already keep their ids in the answer."""
    asked = request.model_dump(mode="json", exclude={"context"})
    ids = sorted((chunk, citation.citation_id) for chunk, citation in cited.items())
    return _key(asked, ids)


def verdict_key(
    statement: StatementChecked, candidate: CandidateProposed, config: RunConfig
) -> str:
    """Question to Lean: does this text prove the statement, under these limits?"""
    text = candidate.text.model_dump(mode="json")
    limits = candidate.limits.model_dump(mode="json", exclude_none=True)
    lean = _toolchain(statement.toolchain)
    asked = (statement.header, statement.statement_digest, lean, candidate.negated)
    return _key(*asked, text, limits, config.verifier.memory_mb, config.verifier.tier)


def llm_key(request_hash: str, occurrence: int) -> str:
    """The n-th call (from 0) with one request in a problem: sampling may answer anew each time."""
    return _key(request_hash, occurrence)


def answers_of(case: Case) -> Iterator[Answer]:
    """Every recorded answer of one problem, with the key that asks for it."""
    for event in case.events_of(StatementChecked):
        assert isinstance(event.data, StatementChecked)  # noqa: S101 - asked for by its class
        stated = case.stated_as(event.data.statement)
        if stated is not None:
            yield Answer(AnswerKind.STATEMENT, statement_key(stated, case.config), event)
    yield from _retrievals(case)
    if case.statement is not None:
        yield from _verdicts(case, case.statement)
    occurrences: Counter[str] = Counter()
    for event in case.events_of(LlmCalled):
        assert isinstance(event.data, LlmCalled)  # noqa: S101 - asked for by its class
        asked = event.data.request_hash
        yield Answer(AnswerKind.LLM, llm_key(asked, occurrences[asked]), event)
        occurrences[asked] += 1


def decider(case: Case) -> CandidateKey | None:
    """The candidate whose acceptance ended the problem; none where it ended otherwise."""
    proof = reported_proof(case)
    return None if proof is None else (proof.attempt, proof.candidate)


def reported_proof(case: Case) -> Proof | None:
    """The proof or refutation that the problem's end reports."""
    ended: ProblemSolved | ProblemFailed | None = case.first(ProblemSolved)
    ended = ended or case.first(ProblemFailed)
    return ended.report.proof if ended is not None else None


def _retrievals(case: Case) -> Iterator[Answer]:
    cited: dict[str, Citation] = {}
    found = [e for e in case.events_of(EvidenceRetrieved) if isinstance(e.data, EvidenceRetrieved)]
    for event in sorted(found, key=lambda e: _asked_at(case, e.data)):
        data = event.data
        assert isinstance(data, EvidenceRetrieved)  # noqa: S101 - filtered above
        # A retrieval that was switched off was no question.
        if case.config.retrieval.enabled:
            yield Answer(AnswerKind.RETRIEVAL, retrieval_key(data.request, cited), event)
        for citation in data.result.citations:
            cited.setdefault(citation.chunk_id, citation)


def _asked_at(case: Case, data: Any) -> tuple[int, int, int]:
    """When it was asked: plan by plan, in each the plan's own first, then attempt by attempt."""
    planned = case.plans.get(data.plan)
    ids = [subgoal.subgoal_id for subgoal in planned.subgoals] if planned else []
    place = ids.index(data.subgoal_id) if data.subgoal_id in ids else len(ids)
    return (data.plan, data.attempt, place)


def _verdicts(case: Case, statement: StatementChecked) -> Iterator[Answer]:
    decided_by = decider(case)
    judged = {
        (e.data.attempt, e.data.candidate): e
        for kind in (WorkFailed, VerdictIssued)
        for e in case.events_of(kind)
        if isinstance(e.data, WorkFailed | VerdictIssued)
    }
    seen: set[str] = set()
    for event in case.events_of(CandidateProposed):
        candidate = event.data
        assert isinstance(candidate, CandidateProposed)  # noqa: S101 - asked for by its class
        place = (candidate.attempt, candidate.candidate)
        key = verdict_key(statement, candidate, case.config)
        if place == decided_by:
            yield Answer(AnswerKind.DECIDER, ONLY, event)
        answer = _judgement(event, judged.get(place), decided_by)
        if answer is not None and key not in seen:
            seen.add(key)
            yield Answer(AnswerKind.VERDICT, key, answer)


def _judgement(
    proposed: AnyEvent, judged: AnyEvent | None, decided_by: CandidateKey | None
) -> AnyEvent | None:
    """What is known of a candidate; the candidate itself where it was not needed."""
    candidate = proposed.data
    assert isinstance(candidate, CandidateProposed)  # noqa: S101 - the caller filtered
    if decided_by is None or candidate.attempt != decided_by[0]:
        return judged
    overtaken = (
        judged is not None
        and isinstance(judged.data, VerdictIssued)
        and judged.data.verdict.reason is None
        and (candidate.attempt, candidate.candidate) != decided_by
    )
    return proposed if judged is None or overtaken else judged


def _toolchain(toolchain: LeanToolchain | None) -> list[str]:
    if toolchain is None:
        return []
    return [toolchain.kind, toolchain.lean_version, toolchain.digest, toolchain.mathlib]


def _key(*parts: Any) -> str:
    return digest(json.dumps(parts, ensure_ascii=False, sort_keys=True))
