"""A world whose verifier and retriever answer only from the recording of another one."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ragsolver_contracts.answers import AnswerKind, answers_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    ProblemPlanned,
)
from ragsolver_contracts.replay import Replay
from ragsolver_contracts.testing import event
from ragsolver_runtime.recorded import Recalled
from ragsolver_runtime.replay.recall import Asked, recall_checks, recall_evidence
from suites.deciding_world import World, evidence


def replay_of(**changes: Any) -> Replay:
    """Terms of a replay of run `r1`."""
    values = {"run_id": "r1", "trace_digest": "d", "recording": "rec"}
    return Replay(**{**values, **changes})


@dataclass
class Recording:
    """Recorded answers in memory: the port that workers see."""

    answers: dict[tuple[AnswerKind, str], AnyEvent]
    replay: Replay = field(default_factory=replay_of)
    now: list[Case] = field(default_factory=list)
    """Cases that `case` gives, one after the other; the last one stays."""

    @classmethod
    def of(cls, cases: Iterable[Case], **terms: Any) -> "Recording":
        """The recording of some problems."""
        found: dict[tuple[AnswerKind, str], AnyEvent] = {}
        for case in cases:
            for kind, key, source in answers_of(case):
                found.setdefault((kind, key), source)
        return cls(found, replay_of(**terms))

    async def answer(self, kind: AnswerKind, key: str) -> AnyEvent | None:
        """The recorded answer."""
        return self.answers.get((kind, key))

    async def case(self) -> Case:
        """The problem as it is now."""
        return self.now.pop(0) if len(self.now) > 1 else self.now[0]


class NotRecordedError(AssertionError):
    """Something was asked that no recorded answer answers."""


@dataclass
class ReplayedWorld(World):
    """Plays a problem again with recorded answers only."""

    recording: Recording = field(default_factory=lambda: Recording({}))

    def play(self, limit: int = 2_000) -> Case:
        """As in a world, with the statement recalled too."""
        first = event(
            ProblemSubmitted(problem=self.problem), run_id=self.run, problem_id="asked", seconds=9
        )
        opened = Case.fold(self.run, "asked", [first], self.config)
        known = self._recalled(recall_checks(opened, first, self.recording))
        (self.statement,) = [p for p in known if isinstance(p, StatementChecked)]
        return super().play(limit)

    def _around(self, trigger: AnyEvent) -> list[tuple[str, Payload]]:
        match trigger.data:
            case CandidateProposed(closes_batch=True) if self.case().accepted is None:
                self.recording.now = [self.case()]
                known = self._recalled(recall_checks(self.case(), trigger, self.recording))
                return [("verifier", payload) for payload in known]
            case ProblemPlanned(plan=plan, subgoals=subgoals):
                return self._looked_up(subgoals[0].search_queries, plan, 0)
            case AttemptCritiqued(re_retrieve=True) as critique:
                plan = self.case().plan_number
                return self._looked_up(critique.missing_identifiers, plan, critique.attempt)
            case _:
                return []

    def _looked_up(self, queries: Any, plan: int, attempt: int) -> list[tuple[str, Payload]]:
        asked = evidence((), plan=plan, attempt=attempt, queries=queries).request
        question = Asked(plan, "s1", attempt, asked)
        known = self._recalled(recall_evidence(self.case(), [question], self.recording))
        return [("retriever", payload) for payload in known]

    def _recalled(self, recall: Any) -> list[Payload]:
        found: Recalled = asyncio.run(recall)
        if not found.complete:
            raise NotRecordedError(found)
        return [item.payload for item in found.said]
