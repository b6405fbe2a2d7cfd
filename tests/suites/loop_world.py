"""The whole loop with a language model in one process: every call counted, every delivery twice.

The agents are the real ones. What a model, Lean and the retriever say comes from functions, so a
property test can draw it. Late and repeated deliveries must change nothing.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ragsolver_agents.critic import model as critic
from ragsolver_agents.formalizer import model as formalizer
from ragsolver_agents.generator import model as generator
from ragsolver_agents.planner import model as planner
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import StatementChecked, StatementProposed
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    CandidateProposed,
    EvidenceRetrieved,
    ProblemPlanned,
    VerdictIssued,
)
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.run_config import Engines, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_contracts.verdict import Verdict
from ragsolver_runtime.budget import cap_of
from ragsolver_runtime.llm.port import Answer, NoAnswer
from suites.deciding_world import checked, evidence, view

ALL = Engines(planner="llm", generator="llm", formalizer="llm", critic="llm")
AGENTS = {"planner": planner, "generator": generator, "formalizer": formalizer, "critic": critic}

Say = Callable[[str], dict[str, Any] | LlmOutcome]
"""What a model says for a purpose: an answer, or how the call ends."""
Judge = Callable[[CandidateProposed], Verdict]


@dataclass
class Loop:
    """One problem, played to its end."""

    config: RunConfig
    say: Say
    judge: Judge
    tries: int = 3
    words_only: bool = False
    found: tuple[tuple[str, str], ...] = (("Nat.add_zero", "n + 0 = n"),)
    events: dict[str, AnyEvent] = field(default_factory=dict)
    made: int = 0
    """Calls that were made."""
    _folded: Case | None = None

    def case(self) -> Case:
        """The fold of all that was said."""
        if self._folded is None or len(self._folded.events) != len(self.events):
            known = self.events.values()
            self._folded = Case.fold("r1", "add_zero_nat", known, self.config)
        return self._folded

    def play(self, limit: int = 400) -> Case:
        """Every trigger to every agent, twice, until nothing new comes."""
        return asyncio.run(self._play(limit))

    async def _play(self, limit: int) -> Case:
        changes = {"formal_statement": None, "declaration": None} if self.words_only else {}
        self._add(ProblemSubmitted(problem=problem(**changes)), "intake", None)
        waiting = list(self.events.values())
        while waiting:
            assert len(self.events) < limit, "the loop has no end"
            trigger = waiting.pop(0)
            before = set(self.events)
            for _ in range(2):
                await self._deliver(trigger)
            waiting += [e for key, e in self.events.items() if key not in before]
        return self.case()

    async def _deliver(self, trigger: AnyEvent) -> None:
        for role, agent in AGENTS.items():
            if self.case().outcome is None:
                for payload in await agent.decide(self.case(), trigger, self):
                    self._add(payload, role, trigger)
        if self.case().outcome is None:
            for role, payload in self._around(trigger):
                self._add(payload, role, trigger)

    def _add(self, payload, role: str, cause: AnyEvent | None) -> AnyEvent:
        seconds = float(len(self.events))
        said = event(payload, role=role, seconds=seconds, cause=cause)
        return self.events.setdefault(said.id, said)

    def _around(self, trigger: AnyEvent):
        """What the verifier and the retriever say."""
        match trigger.data:
            case ProblemSubmitted() if self.words_only:
                told = StatementChecked(statable=False, reason=RefusalReason.NEEDS_LLM)
                return [("verifier", told)]
            case ProblemSubmitted():
                return [("verifier", self._stated(0))]
            case StatementProposed(statement=number):
                return [("verifier", self._stated(number))]
            case ProblemPlanned(plan=plan, subgoals=goals):
                return [("retriever", self._evidence(plan, 0, g.subgoal_id)) for g in goals]
            case AttemptCritiqued(route=Route.RE_RETRIEVE, attempt=attempt):
                plan = self.case().plan_number
                return [("retriever", self._evidence(plan, attempt, "s1"))]
            case CandidateProposed(closes_batch=True, attempt=attempt, batch=batch):
                return self._verdicts(attempt, batch)
            case _:
                return []

    def _stated(self, number: int) -> StatementChecked:
        said = checked(view("n + 0 = n", ("n", "Nat")))
        return said.model_copy(update={"statement": number})

    def _evidence(self, plan: int, attempt: int, subgoal: str) -> EvidenceRetrieved:
        told = evidence(self.found, plan=plan, attempt=attempt)
        return told.model_copy(update={"subgoal_id": subgoal})

    def _verdicts(self, attempt: int, batch: int):
        case = self.case()
        items = [c for c in case.batch(attempt, batch) if not case.judged((attempt, c.candidate))]
        return [
            (
                "verifier",
                VerdictIssued(
                    attempt=attempt,
                    candidate=item.candidate,
                    closes_batch=item is items[-1],
                    verdict=self.judge(item),
                ),
            )
            for item in items
        ]

    async def ask(self, case, trigger, question):
        """The port: a call is reserved, made, and stored; an answer is never paid twice."""
        key = f"{question.agent}/{question.purpose}"
        for stored in self._calls(trigger):
            if f"{stored.agent}/{stored.purpose}" == key and not stored.outcome.passes:
                return self._told(question, stored.call)
        for number in range(self.tries):
            now = self.case()
            if now.llm_calls >= cap_of(now):
                return NoAnswer(None, "no call is left")
            call = self._call(question, trigger, number)
            if not call.outcome.passes:
                return self._told(question, call.call)
        return NoAnswer(call.outcome, "tried in vain")

    def _calls(self, trigger: AnyEvent) -> list[LlmCalled]:
        caused = (e for e in self.events.values() if e.causationid == trigger.id)
        return [e.data for e in caused if isinstance(e.data, LlmCalled)]

    def _call(self, question, trigger: AnyEvent, retry: int) -> LlmCalled:
        self.made += 1
        fields = {"call": self.made, "agent": question.agent, "purpose": question.purpose}
        self._add(LlmReserved(**fields), question.agent, trigger)
        said = self.say(question.purpose)
        outcome = said if isinstance(said, LlmOutcome) else LlmOutcome.ANSWERED
        given = None if isinstance(said, LlmOutcome) else question.answer(**said)
        called = LlmCalled(
            **fields,
            prompt_id="p",
            prompt_hash="h",
            model="m",
            request_hash="r",
            response=given.model_dump_json() if given else "",
            stop_reason="",
            outcome=outcome,
            retry=retry,
        )
        self._add(called, question.agent, trigger)
        return called

    def _told(self, question, number: int):
        stored = next(c for c in self.case().payloads(LlmCalled) if c.call == number)
        if stored.outcome is not LlmOutcome.ANSWERED:
            return NoAnswer(stored.outcome, "nothing came")
        return Answer(question.answer.model_validate_json(stored.response), number)

    async def grant(self, case, trigger, child_id, calls):
        """No problem is split here."""
        raise AssertionError(child_id)

    async def settle(self, case, trigger):
        """No problem is a child here."""
        raise AssertionError(trigger)
