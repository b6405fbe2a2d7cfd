"""The fold: the state of one problem, computed from its events and from nothing else.

Any prefix folds, and neither duplicates nor the order of independent events change the result
(behaviour contract `fold`): every event lands in a slot named by what it decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from ragsolver_contracts.account import account
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    RunStarted,
    WorkFailed,
)
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
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
from ragsolver_contracts.problem import Problem
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.retrieval import Citation
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.verdict import VerdictStatus

P = TypeVar("P", bound=Payload)

CandidateKey = tuple[int, int]
"""Attempt and number of a candidate."""


@dataclass(frozen=True)
class Case:
    """Everything that is known about one problem."""

    run_id: str
    problem_id: str
    config: RunConfig = field(default_factory=RunConfig)
    events: Mapping[str, AnyEvent] = field(default_factory=dict)
    """Every event by id, in canonical order (event name, then what it decides)."""

    @classmethod
    def fold(
        cls,
        run_id: str,
        problem_id: str,
        events: Iterable[AnyEvent],
        config: RunConfig | None = None,
    ) -> "Case":
        """The case after `events`, in any order, with any duplicates.

        Args:
            run_id: the run.
            problem_id: the problem; events of other problems are an error.
            events: the problem's events; a `run_started` of the run gives the configuration.
            config: the run's configuration, where `run_started` is not among the events.
        """
        kept: dict[str, AnyEvent] = {}
        for event in events:
            if isinstance(event.data, RunStarted):
                config = event.data.config
                continue
            if (event.run_id, event.problem_id) != (run_id, problem_id):
                raise ValueError(f"{event.entity} folded into {run_id}/{problem_id}")
            kept.setdefault(event.id, event)
        ordered = sorted(kept.values(), key=lambda event: (event.name, _order(event)))
        return cls(
            run_id, problem_id, config or RunConfig(), MappingProxyType({e.id: e for e in ordered})
        )

    def events_of(self, kind: type[Payload]) -> list[AnyEvent]:
        """Events of one kind, ordered by what they decide."""
        return [event for event in self.events.values() if type(event.data) is kind]

    def payloads(self, kind: type[P]) -> list[P]:
        """Payloads of one kind, ordered by what they decide."""
        return [event.data for event in self.events.values() if type(event.data) is kind]

    def first(self, kind: type[P]) -> P | None:
        """The only payload of a kind that is decided once, where it is there."""
        return next(iter(self.payloads(kind)), None)

    @cached_property
    def problem(self) -> Problem | None:
        """The canonical problem."""
        submitted = self.first(ProblemSubmitted)
        return submitted.problem if submitted else None

    @cached_property
    def statement(self) -> StatementChecked | None:
        """What Lean said of the statement that is worked on.

        Of a problem in words that is the newest machine-written statement that elaborates and was
        judged faithful; until there is one, what was said of the words.
        """
        judged = {item.statement: item.faithful for item in self.payloads(StatementJudged)}
        good = [n for n, item in self.statements.items() if n and item.statable and judged.get(n)]
        return self.statements.get(max(good, default=0))

    @cached_property
    def statements(self) -> Mapping[int, StatementChecked]:
        """What Lean said of each statement: 0 is the asker's own, the others a machine wrote."""
        return {item.statement: item for item in self.payloads(StatementChecked)}

    @cached_property
    def proposed(self) -> Mapping[int, StatementProposed]:
        """Machine-written statements by number."""
        return {item.statement: item for item in self.payloads(StatementProposed)}

    @cached_property
    def stated(self) -> Problem | None:
        """The problem with the statement that is worked on, which a machine may have written."""
        number = self.statement.statement if self.statement is not None else 0
        return self.stated_as(number)

    def stated_as(self, number: int) -> Problem | None:
        """The problem with one of its statements; 0: as it was posted."""
        written = self.proposed.get(number)
        if self.problem is None or written is None:
            return self.problem
        update = {
            "formal_statement": written.formal_statement,
            "declaration": written.declaration or None,
            "header": written.header,
        }
        return self.problem.model_copy(update=update)

    @cached_property
    def plans(self) -> Mapping[int, ProblemPlanned]:
        """Plans by number."""
        return {plan.plan: plan for plan in self.payloads(ProblemPlanned)}

    @cached_property
    def evidence(self) -> Mapping[tuple[int, str, int], EvidenceRetrieved]:
        """Retrievals by plan, subgoal and attempt."""
        found = self.payloads(EvidenceRetrieved)
        return {(item.plan, item.subgoal_id, item.attempt): item for item in found}

    @cached_property
    def sketches(self) -> Mapping[int, ProofSketched]:
        """Sketches by attempt."""
        return {sketch.attempt: sketch for sketch in self.payloads(ProofSketched)}

    @cached_property
    def candidates(self) -> Mapping[CandidateKey, CandidateProposed]:
        """Candidates by attempt and number."""
        return {(c.attempt, c.candidate): c for c in self.payloads(CandidateProposed)}

    @cached_property
    def verdicts(self) -> Mapping[CandidateKey, VerdictIssued]:
        """Verdicts by attempt and candidate."""
        return {(v.attempt, v.candidate): v for v in self.payloads(VerdictIssued)}

    @cached_property
    def critiques(self) -> Mapping[int, AttemptCritiqued]:
        """Critiques by attempt."""
        return {critique.attempt: critique for critique in self.payloads(AttemptCritiqued)}

    @cached_property
    def decompositions(self) -> Mapping[int, ProblemDecomposed]:
        """Decompositions by attempt."""
        return {item.attempt: item for item in self.payloads(ProblemDecomposed)}

    @cached_property
    def closed_holes(self) -> Mapping[tuple[int, str], HoleClosed]:
        """Ended child problems by attempt and hole."""
        return {(item.attempt, item.hole_id): item for item in self.payloads(HoleClosed)}

    @cached_property
    def candidate_failures(self) -> Mapping[CandidateKey, WorkFailed]:
        """Candidates whose check failed for reasons of infrastructure."""
        return {
            (failed.attempt, failed.candidate): failed
            for failed in self.payloads(WorkFailed)
            if failed.attempt is not None and failed.candidate is not None
        }

    @cached_property
    def work_failures(self) -> list[WorkFailed]:
        """Dead letters that concern the problem as a whole."""
        return [failed for failed in self.payloads(WorkFailed) if failed.candidate is None]

    @cached_property
    def accepted(self) -> VerdictIssued | None:
        """The first accepted verdict by attempt and candidate."""
        return next(
            (v for v in self.verdicts.values() if v.verdict.status is VerdictStatus.ACCEPTED), None
        )

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the problem ended; none while it is open. A proof outranks everything."""
        if self.first(ProblemSolved):
            return Outcome.SOLVED
        failed = self.first(ProblemFailed)
        if failed:
            return failed.outcome
        if self.first(ProblemRefused):
            return Outcome.REFUSED
        if self.first(ProblemCancelled):
            return Outcome.CANCELLED
        return None

    @property
    def plan_number(self) -> int:
        """Number of the latest plan, 0 before the first."""
        return max(self.plans, default=0)

    @property
    def attempt_number(self) -> int:
        """Number of the latest attempt, 0 before the first."""
        return max(self.sketches, default=0)

    def attempt_candidates(self, attempt: int) -> list[CandidateProposed]:
        """Candidates of one attempt, in order."""
        return [c for (number, _), c in self.candidates.items() if number == attempt]

    def batch(self, attempt: int, batch: int) -> list[CandidateProposed]:
        """Candidates of one batch, in order."""
        return [c for c in self.attempt_candidates(attempt) if c.batch == batch]

    def judged(self, key: CandidateKey) -> bool:
        """Whether a candidate has its verdict, or failed for good."""
        return key in self.verdicts or key in self.candidate_failures

    def attempt_complete(self, attempt: int) -> bool:
        """The join: every candidate of the attempt is there and judged."""
        candidates = self.attempt_candidates(attempt)
        numbers = [c.candidate for c in candidates]
        complete = bool(candidates) and candidates[-1].closes_attempt
        return (
            complete
            and numbers == list(range(len(numbers)))
            and all(self.judged((attempt, number)) for number in numbers)
        )

    def plan_retrieved(self, plan: int) -> bool:
        """The join: every subgoal of the plan has its evidence."""
        planned = self.plans.get(plan)
        return planned is not None and all(
            (plan, subgoal.subgoal_id, 0) in self.evidence for subgoal in planned.subgoals
        )

    @cached_property
    def citations(self) -> Mapping[str, Citation]:
        """Every citation offered to this problem, by chunk, in the order of retrieval."""
        found: dict[str, Citation] = {}
        for item in self.evidence.values():
            for citation in item.result.citations:
                found.setdefault(citation.chunk_id, citation)
        return found

    @cached_property
    def llm_calls(self) -> int:
        """Calls used of the budget, with those of child problems that have them or used them."""
        return account(event.data for event in self.events.values()).used


def _order(event: AnyEvent) -> tuple[tuple[bool, str | int], ...]:
    """Sort key of what an event decides; numbers before words."""
    return tuple((isinstance(part, str), part) for part in event.data.decides())
