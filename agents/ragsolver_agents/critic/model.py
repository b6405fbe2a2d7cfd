"""When the critic asks a model: of its failed attempts, and of statements that it wrote."""

import asyncio

from ragsolver_agents.attempts import model_attempts
from ragsolver_agents.calls import calls_left
from ragsolver_agents.critic import decide as rules
from ragsolver_agents.critic.answers import Said
from ragsolver_agents.critic.diagnose import missing_identifiers
from ragsolver_agents.critic.questions import critique_question, fidelity_question
from ragsolver_agents.critic.report import attempt_verdicts
from ragsolver_agents.critic.routes import standing_of
from ragsolver_agents.critic.statements import judgement_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_runtime.about import Decided
from ragsolver_runtime.llm.port import LlmPort


async def decide(case: Case, trigger: AnyEvent, llm: LlmPort) -> Decided:
    """What the rules say, with a model's opinion where one is worth its call."""
    if waits(case, trigger):
        return []
    statement, attempt = statement_to_judge(case, trigger), attempt_to_critique(case, trigger)
    said: Said = None
    if statement is not None:
        said = await llm.ask(case, trigger, fidelity_question(case, statement))
    elif attempt is not None:
        said = await llm.ask(case, trigger, critique_question(case, attempt))
    return await asyncio.to_thread(rules.decide, case, trigger, said)


def waits(case: Case, trigger: AnyEvent) -> bool:
    """Whether another delivery judges the attempt: this one was late, and sees it whole.

    Without this two deliveries would ask for one critique, or the rules' would forestall it.
    """
    attempt = _finished_attempt(case, trigger)
    if attempt is None or case.config.engines.critic != "llm":
        return False
    last = max(candidate.batch for candidate in case.attempt_candidates(attempt))
    issued = [
        item
        for item in attempt_verdicts(case, attempt)
        if case.candidates[(attempt, item.candidate)].batch == last
    ]
    closing = [item for item in issued if item.closes_batch]
    # Failures come before verdicts; without a closing one a check was broken off and done again.
    return bool(closing) and trigger.data not in closing


def statement_to_judge(case: Case, trigger: AnyEvent) -> int | None:
    """The machine-written statement that elaborates and was not judged yet."""
    if case.outcome is not None or case.config.engines.critic != "llm":
        return None
    match trigger.data:
        case StatementChecked(statement=number, statable=True) if number > 0:
            return number if judgement_of(case, number) is None else None
        case _:
            return None


def attempt_to_critique(case: Case, trigger: AnyEvent) -> int | None:
    """The model's failed attempt, where an attempt is left that can use a critique."""
    attempt = _finished_attempt(case, trigger)
    if attempt is None or case.outcome is not None or case.config.engines.critic != "llm":
        return None
    verdicts = [item.verdict for item in attempt_verdicts(case, attempt)]
    missing = missing_identifiers(verdicts)
    standing = standing_of(case, attempt, calls_left(case, trigger), missing)
    return attempt if verdicts and standing.may_spend() else None


def _finished_attempt(case: Case, trigger: AnyEvent) -> int | None:
    """The model's attempt that the trigger finds finished and not judged yet."""
    match trigger.data:
        case (
            WorkFailed(candidate=int(), attempt=int() as attempt) | VerdictIssued(attempt=attempt)
        ) if attempt in model_attempts(case) and rules.finished(case, attempt):
            return attempt
        case _:
            return None
