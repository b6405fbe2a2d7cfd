"""The critic's decision: judge a finished attempt, route what is next, end the problem."""

from typing import Literal

from ragsolver_agents.attempts import started_attempt
from ragsolver_agents.critic.diagnose import classify_attempt, missing_identifiers
from ragsolver_agents.critic.report import attempt_verdicts, report
from ragsolver_agents.engines import require_portfolio
from ragsolver_agents.formalizer.portfolio.select import next_choice, uses_lemmas
from ragsolver_agents.formalizer.portfolio.spending import affordable
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemRefused, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemSolved,
    VerdictIssued,
)
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.report import Outcome

FailedOutcome = Literal[Outcome.NOT_PROVED, Outcome.STATEMENT_FALSE, Outcome.INFRASTRUCTURE]


def decide(case: Case, trigger: AnyEvent) -> list[Payload]:
    """Nothing while an attempt is open or the problem has ended."""
    if case.outcome is not None:
        return []
    match trigger.data:
        case WorkFailed(candidate=None) as failure:
            where = f"{failure.failed_role} ({failure.stage})"
            message = f"Could not be worked on: {where}: {failure.error}: {failure.message}"
            return [_failed(case, Outcome.INFRASTRUCTURE, message, trigger)]
        case WorkFailed(attempt=int() as attempt) | VerdictIssued(attempt=attempt):
            require_portfolio(case, "critic")
            return _judge(case, attempt, trigger)
        case StatementChecked(statable=False) as checked:
            require_portfolio(case, "critic")
            return _refuse(case, checked)
        case EvidenceRetrieved() if started_attempt(case, trigger) is not None:
            require_portfolio(case, "critic")
            if next_choice(case) is None:
                return [_exhausted(case, "Retrieval gave nothing new to try.", trigger)]
            return []
        case _:
            return []


def _judge(case: Case, attempt: int, trigger: AnyEvent) -> list[Payload]:
    if case.accepted is not None:
        return [_proved(case, trigger)]
    critique = case.critiques.get(attempt)
    if critique is not None:
        ended = critique.route is Route.EXHAUSTED
        return [_exhausted(case, critique.advice, trigger)] if ended else []
    if attempt < case.attempt_number or not case.attempt_complete(attempt):
        return []
    critique = _critique(case, attempt)
    if critique.route is Route.EXHAUSTED:
        return [critique, _exhausted(case, critique.advice, trigger)]
    return [critique]


def _proved(case: Case, trigger: AnyEvent) -> Payload:
    accepted = case.accepted
    assert accepted is not None  # noqa: S101 - the caller looked
    strategy = case.candidates[(accepted.attempt, accepted.candidate)].strategy
    where = f"by {strategy} in attempt {accepted.attempt}"
    if accepted.verdict.negated:
        message = f"The statement is false as given: its negation is proved {where}."
        return _failed(case, Outcome.STATEMENT_FALSE, message, trigger)
    message = f"Proved {where}."
    return ProblemSolved(report=report(case, Outcome.SOLVED, message, trigger))


def _critique(case: Case, attempt: int) -> AttemptCritiqued:
    verdicts = [item.verdict for item in attempt_verdicts(case, attempt)]
    missing = missing_identifiers(verdicts)
    route, advice = _route(case, attempt, missing)
    return AttemptCritiqued(
        attempt=attempt,
        error_class=classify_attempt(verdicts),
        missing_identifiers=missing,
        re_retrieve=route is Route.RE_RETRIEVE,
        route=route,
        advice=advice,
    )


def _route(case: Case, attempt: int, missing: tuple[str, ...]) -> tuple[Route, str]:
    """What happens next, and why, in one sentence."""
    budget = case.config.budget.attempts
    if attempt >= budget:
        return Route.EXHAUSTED, f"All {budget} attempts of the budget are used."
    if not affordable(case, negated=False):
        return Route.EXHAUSTED, f"The {case.config.budget.lean_s:g} s of Lean are used."
    retrieval = case.config.retrieval
    asked = {name for item in case.critiques.values() for name in item.missing_identifiers}
    rounds = sum(item.route is Route.RE_RETRIEVE for item in case.critiques.values())
    new = [name for name in missing if name not in asked]
    if new and retrieval.enabled and rounds < retrieval.error_rounds:
        return Route.RE_RETRIEVE, f"Lean does not know {', '.join(new)}: look up what was meant."
    choice = next_choice(case)
    if choice is not None:
        return Route.RETRY, f"Try stage {choice.stage.name}. {choice.reason}"
    lemmas = any(uses_lemmas(stage) for stage in case.config.portfolio.stages)
    if retrieval.enabled and lemmas and case.plan_number < case.config.planner.plans:
        return Route.REPLAN, "Every stage is tried: look for other lemmas."
    return Route.EXHAUSTED, "Every stage of the portfolio is tried."


def _exhausted(case: Case, why: str, trigger: AnyEvent) -> ProblemFailed:
    """Not proved; a failure of infrastructure where not one candidate was judged."""
    if case.candidates and not case.verdicts:
        message = "No candidate could be checked: the checker failed on every one of them."
        return _failed(case, Outcome.INFRASTRUCTURE, message, trigger)
    return _failed(case, Outcome.NOT_PROVED, f"No proof was found. {why}", trigger)


def _failed(case: Case, outcome: FailedOutcome, message: str, trigger: AnyEvent) -> ProblemFailed:
    ended = report(case, outcome, message, trigger)
    return ProblemFailed(outcome=outcome, message=message, report=ended)


def _refuse(case: Case, checked: StatementChecked) -> list[Payload]:
    problem = case.problem
    if problem is None:
        return []
    reason = checked.reason or RefusalReason.STATEMENT_ERROR
    detail = checked.detail
    if not problem.formal_statement:
        reason = RefusalReason.NEEDS_LLM
        detail = (
            "The problem is given in words only; writing its Lean statement needs the engine "
            "'llm', which this run does not have."
        )
    return [
        ProblemRefused(
            name=problem.name,
            reason=reason,
            message=detail or "The statement does not elaborate.",
            line=problem.source.line,
            input_digest=problem.input_digest,
        )
    ]
