"""The four deciding workers in one process: their pure functions, with what is around them told.

No bus, no Lean, no index: a verifier and a retriever are given as functions, and every payload
becomes an event a second after the one before it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ragsolver_agents.critic import decide as critic
from ragsolver_agents.formalizer import decide as formalizer
from ragsolver_agents.generator import decide as generator
from ragsolver_agents.planner import decide as planner
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemPlanned,
    VerdictIssued,
)
from ragsolver_contracts.lean import Binder, Diagnostic, LeanToolchain, Position, StatementView
from ragsolver_contracts.problem import Problem
from ragsolver_contracts.retrieval import (
    Citation,
    Hit,
    RetrievalContext,
    RetrievalRequest,
    RetrievalResult,
)
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import event
from ragsolver_contracts.verdict import Verdict, VerdictReason, VerdictStatus
from ragsolver_verifier.classify import error_class
from ragsolver_verifier.evidence import Message
from ragsolver_verifier.unknown import unknown_identifiers
from suites.term_text import expression

TOOLCHAIN = LeanToolchain(kind="embedded", lean_version="4.28.0")
DIGEST = "0" * 64
AGENTS = {
    "planner": planner.decide,
    "generator": generator.decide,
    "formalizer": formalizer.decide,
    "critic": critic.decide,
}

Judge = Callable[[CandidateProposed], Verdict | None]
"""Verdict on a candidate; none: its check fails for reasons of infrastructure."""
Retrieve = Callable[[Sequence[str]], Sequence[tuple[str, str]]]
"""Names and signatures found for queries."""


def view(target: str, *binders: tuple[str, str], **fields: object) -> StatementView:
    """A view; a binder whose type is not a plain type is a hypothesis."""
    plain = {"Nat", "ℕ", "Int", "ℤ", "Nat → Nat", "ℕ → ℕ", "ℕ → ℤ"}
    return StatementView(
        type=target,
        target=target,
        expression=expression(target),
        binders=tuple(
            Binder(name=n, type=t, expression=expression(t), is_prop=t not in plain)
            for n, t in binders
        ),
        **fields,
    )


def accepted(*constants: str, negated: bool = False) -> Verdict:
    """An accepted verdict whose proof uses the constants."""
    return Verdict(
        status=VerdictStatus.ACCEPTED,
        statement_digest=DIGEST,
        negated=negated,
        constants=constants,
        source="theorem t : True := trivial",
        toolchain=TOOLCHAIN,
        elapsed_ms=5.0,
    )


def rejected(*messages: str, reason: VerdictReason = VerdictReason.ELABORATION_ERROR) -> Verdict:
    """A verdict that is not accepted, with error messages."""
    inconclusive = reason in {VerdictReason.TIMEOUT, VerdictReason.MEMORY_LIMIT}
    place = Position(line=1, column=0)
    said = tuple(Diagnostic(severity="error", text=m, start=place) for m in messages)
    read = [Message(severity="error", pos=place, data=m) for m in messages]
    return Verdict(
        status=VerdictStatus.INCONCLUSIVE if inconclusive else VerdictStatus.REJECTED,
        reason=reason,
        statement_digest=DIGEST,
        diagnostics=said,
        error_class=error_class(reason, said),
        unknown_identifiers=unknown_identifiers(read),
        toolchain=TOOLCHAIN,
        elapsed_ms=2.0,
    )


def checked(statement: StatementView) -> StatementChecked:
    """The statement elaborates."""
    return StatementChecked(statable=True, view=statement, toolchain=TOOLCHAIN)


def evidence(
    found: Sequence[tuple[str, str]],
    *,
    plan: int = 1,
    attempt: int = 0,
    start: int = 1,
    queries: Sequence[str] = ("q",),
) -> EvidenceRetrieved:
    """A retrieval that found declarations, given by name and signature."""
    context = RetrievalContext(problem_id="p", subgoal_id="s1", attempt=attempt)
    hits = []
    for rank, (name, signature) in enumerate(found):
        citation = Citation(
            citation_id=f"M{start + rank}",
            chunk_id=f"core:{name}:0",
            corpus="mathlib",
            unit_type="mathlib_decl",
            label=name,
            locator={"decl_name": name, "module_path": "Init"},
            retrieved_for=context,
        )
        hits.append(
            Hit(
                chunk_id=citation.chunk_id,
                corpus="mathlib",
                unit_type="mathlib_decl",
                rank=rank + 1,
                text=name,
                metadata={"kind": "theorem", "signature": signature},
                citation=citation,
            )
        )
    return EvidenceRetrieved(
        plan=plan,
        subgoal_id="s1",
        attempt=attempt,
        request=RetrievalRequest(queries=tuple(queries)[:4], context=context),
        result=RetrievalResult(hits=hits, citations=[hit.citation for hit in hits]),
    )


@dataclass
class World:
    """One problem's history, played to its end."""

    problem: Problem
    statement: StatementChecked
    judge: Judge
    retrieve: Retrieve = lambda _queries: ()
    config: RunConfig = field(default_factory=RunConfig)
    events: list[AnyEvent] = field(default_factory=list)
    run: str = "r1"

    def play(self, limit: int = 2_000) -> Case:
        """Every trigger to every worker, in the order of the events, until nothing comes."""
        self._say(ProblemSubmitted(problem=self.problem), "intake", None)
        self._say(self.statement, "verifier", self.events[0])
        waiting = deque(self.events[1:])
        while waiting and len(self.events) < limit:
            trigger = waiting.popleft()
            if self.case().outcome is not None:
                break
            for role, decide in AGENTS.items():
                waiting += [self._say(p, role, trigger) for p in decide(self.case(), trigger)]
            waiting += [self._say(p, role, trigger) for role, p in self._around(trigger)]
        return self.case()

    def case(self) -> Case:
        """The fold of all that was said."""
        return Case.fold(self.run, self.problem.problem_id, self.events, self.config)

    def _say(self, payload: Payload, role: str, cause: AnyEvent | None) -> AnyEvent:
        said = event(
            payload,
            run_id=self.run,
            problem_id=self.problem.problem_id,
            role=role,
            seconds=len(self.events),
            cause=cause,
        )
        self.events.append(said)
        return said

    def _around(self, trigger: AnyEvent) -> list[tuple[str, Payload]]:
        """What the retriever and the verifier say."""
        match trigger.data:
            case ProblemPlanned(plan=plan, subgoals=subgoals):
                return [("retriever", self._found(subgoals[0].search_queries, plan, 0))]
            case AttemptCritiqued(route=Route.RE_RETRIEVE) as critique:
                plan = self.case().plan_number
                names = critique.missing_identifiers
                return [("retriever", self._found(names, plan, critique.attempt))]
            case CandidateProposed(closes_batch=True, attempt=attempt, batch=batch):
                return self._verdicts(self.case().batch(attempt, batch), trigger)
            case _:
                return []

    def _found(self, queries: Sequence[str], plan: int, attempt: int) -> EvidenceRetrieved:
        known = self.case().citations
        found = [item for item in self.retrieve(queries) if f"core:{item[0]}:0" not in known]
        start = len(known) + 1
        return evidence(found, plan=plan, attempt=attempt, start=start, queries=queries)

    def _verdicts(
        self, batch: Sequence[CandidateProposed], trigger: AnyEvent
    ) -> list[tuple[str, Payload]]:
        said: list[tuple[str, Payload]] = []
        for item in batch if self.case().accepted is None else ():
            verdict = self.judge(item)
            if verdict is None:
                said.append(("verifier", _check_failed(item, trigger)))
                continue
            number = {"attempt": item.attempt, "candidate": item.candidate}
            said.append(("verifier", VerdictIssued(**number, verdict=verdict)))
            if verdict.status is VerdictStatus.ACCEPTED:
                break
        return said


def _check_failed(item: CandidateProposed, trigger: AnyEvent) -> WorkFailed:
    return WorkFailed(
        failed_role="verifier",
        trigger_id=trigger.id,
        trigger_type=trigger.type,
        stage="check",
        error="CheckerDied",
        message="the checker died on this candidate",
        attempt=item.attempt,
        candidate=item.candidate,
    )
