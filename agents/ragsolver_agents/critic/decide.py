"""The critic's decision: judge a finished attempt, route what is next, end the problem."""

from ragsolver_agents.attempts import (
    asks_model,
    latest_attempt,
    model_attempts,
    model_plans,
    next_engine,
    plan_engine,
    started_attempt,
)
from ragsolver_agents.calls import calls_left
from ragsolver_agents.critic.abandoned import judge_abandoned
from ragsolver_agents.critic.answers import CritiqueAnswer, Said
from ragsolver_agents.critic.diagnose import (
    agreed_class,
    agreed_identifiers,
    classify_attempt,
    missing_identifiers,
)
from ragsolver_agents.critic.ends import SUSPECT, exhausted, failed, proved
from ragsolver_agents.critic.family import called_off, hole_critique, left_open, lost
from ragsolver_agents.critic.report import attempt_verdicts
from ragsolver_agents.critic.routes import choose, standing_of
from ragsolver_agents.critic.statements import given_up, judge_statement
from ragsolver_agents.formalizer.portfolio.select import next_choice, uses_lemmas
from ragsolver_agents.formalizer.portfolio.spending import affordable
from ragsolver_contracts.account import account
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_run import WorkFailed
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    EvidenceRetrieved,
    VerdictIssued,
)
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.verdict import Verdict
from ragsolver_runtime.about import Decided
from ragsolver_runtime.llm.port import Answer, NoAnswer


def decide(case: Case, trigger: AnyEvent, said: Said = None) -> Decided:
    """Nothing while an attempt is open or the problem has ended.

    A problem is not ended on the delivery on which a model was asked: the report counts calls,
    and the fold has these only on the next one, that of the critic's own judgement.

    Args:
        case: the fold, without the calls that were made for `said`.
        trigger: what happened.
        said: a model's opinion; without one the rules decide alone.
    """
    if case.outcome is not None:
        return []
    match trigger.data:
        case WorkFailed(candidate=None) as failure:
            where = f"{failure.failed_role} ({failure.stage})"
            message = f"Could not be worked on: {where}: {failure.error}: {failure.message}"
            return [failed(case, Outcome.INFRASTRUCTURE, message, trigger)]
        case WorkFailed(attempt=int() as attempt) | VerdictIssued(attempt=attempt):
            return _judge(case, attempt, trigger, said)
        case StatementChecked() as checked:
            return judge_statement(case, checked, trigger, said)
        case AttemptAbandoned() as ended:
            return judge_abandoned(case, ended, trigger)
        case HoleClosed() as closed:
            return _after_hole(case, closed, trigger)
        case AttemptCritiqued(route=Route.EXHAUSTED) as critique:
            return [_ended(case, critique, trigger)]
        case StatementJudged() as judgement:
            return given_up(case, judgement, trigger)
        case EvidenceRetrieved() if started_attempt(case, trigger) is not None:
            return _after_retrieval(case, trigger)
        case _:
            return []


def _after_retrieval(case: Case, trigger: AnyEvent) -> list[Payload]:
    """The end, where what was found starts no attempt."""
    if next_engine(case, trigger) is not None:
        return []
    over = ""
    if asks_model(case):
        over = standing_of(case, latest_attempt(case), calls_left(case, trigger)).over
    return [exhausted(case, over or "Retrieval gave nothing new to try.", trigger)]


def _after_hole(case: Case, closed: HoleClosed, trigger: AnyEvent) -> Decided:
    """A hole that stays open ends the attempt; of solved ones the formalizer makes a proof."""
    if not lost(closed) or closed.attempt != latest_attempt(case):
        return []
    said = list(called_off(case, closed.attempt))
    critique = case.critiques.get(closed.attempt)
    if critique is None:
        critique = hole_critique(case, closed, trigger)
        said.append(critique)
    if critique.route is Route.EXHAUSTED:
        said.append(_ended(case, critique, trigger))
    return said


def finished(case: Case, attempt: int) -> bool:
    """Whether the attempt is to be judged now: all of it is there and nothing was accepted."""
    latest = attempt >= case.attempt_number and attempt not in case.critiques
    over = case.attempt_complete(attempt) or left_open(case, attempt)
    return case.accepted is None and latest and over


def _judge(case: Case, attempt: int, trigger: AnyEvent, said: Said) -> list[Payload]:
    if case.accepted is not None:
        return [proved(case, trigger)]
    critique = case.critiques.get(attempt)
    if critique is None:
        if not finished(case, attempt):
            return []
        critique = _critiqued(case, attempt, trigger, said)
        if said is not None or critique.route is not Route.EXHAUSTED:
            return [critique]
        return [critique, _ended(case, critique, trigger)]
    return [_ended(case, critique, trigger)] if critique.route is Route.EXHAUSTED else []


def _ended(case: Case, critique: AttemptCritiqued, trigger: AnyEvent) -> Payload:
    """The end that a critique asks for."""
    if critique.advice.startswith(SUSPECT):
        return failed(case, Outcome.NOT_PROVED, critique.advice, trigger)
    return exhausted(case, critique.advice, trigger)


def _critiqued(case: Case, attempt: int, trigger: AnyEvent, said: Said) -> AttemptCritiqued:
    verdicts = [item.verdict for item in attempt_verdicts(case, attempt)]
    if attempt not in model_attempts(case):
        return _by_rule(case, attempt, verdicts)
    left = _left(case, trigger, said)
    if isinstance(said, Answer) and isinstance(said.value, CritiqueAnswer):
        return _with_opinion(case, attempt, verdicts, said.value, left)
    return _of_model(case, attempt, verdicts, left)


def _left(case: Case, trigger: AnyEvent, said: Said) -> int:
    """Calls that are left after those made for the opinion, which the fold does not have yet."""
    left = calls_left(case, trigger)
    match said:
        case Answer(call=call):
            before = account(e.data for e in case.events.values() if e.causationid != trigger.id)
            return max(left - (call - before.next_call + 1), 0)
        case NoAnswer(outcome=None):
            return 0
        case NoAnswer():
            return max(left - 1, 0)
        case _:
            return left


def _with_opinion(
    case: Case, attempt: int, verdicts: list[Verdict], said: CritiqueAnswer, left: int
) -> AttemptCritiqued:
    """A model's critique, held against what Lean said."""
    missing = agreed_identifiers(verdicts, said.missing_identifiers)
    route, why = choose(standing_of(case, attempt, left, missing), said.route)
    advice = f"{said.advice} {why}".strip()
    if said.suspect_statement and said.reason:
        route, advice = Route.EXHAUSTED, f"{SUSPECT}{said.reason}"
    return AttemptCritiqued(
        attempt=attempt,
        error_class=agreed_class(verdicts, said.error_class),
        missing_identifiers=missing,
        re_retrieve=route is Route.RE_RETRIEVE,
        route=route,
        advice=advice,
        engine="llm",
    )


def _of_model(case: Case, attempt: int, verdicts: list[Verdict], left: int) -> AttemptCritiqued:
    """The rules' critique of a model's attempt."""
    missing = missing_identifiers(verdicts)
    route, advice = choose(standing_of(case, attempt, left, missing))
    return _critique(attempt, verdicts, missing, route, advice)


def _by_rule(case: Case, attempt: int, verdicts: list[Verdict]) -> AttemptCritiqued:
    """The critique of a stage of the portfolio."""
    missing = missing_identifiers(verdicts)
    route, advice = _route(case, attempt, missing)
    return _critique(attempt, verdicts, missing, route, advice)


def _critique(
    attempt: int,
    verdicts: list[Verdict],
    missing: tuple[str, ...],
    route: Route,
    advice: str,
) -> AttemptCritiqued:
    return AttemptCritiqued(
        attempt=attempt,
        error_class=classify_attempt(verdicts),
        missing_identifiers=missing,
        re_retrieve=route is Route.RE_RETRIEVE,
        route=route,
        advice=advice,
    )


def _route(case: Case, attempt: int, missing: tuple[str, ...]) -> tuple[Route, str]:
    """What follows a stage of the portfolio, and why, in one sentence."""
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
    if retrieval.enabled and lemmas and _may_plan(case):
        return Route.REPLAN, "Every stage is tried: look for other lemmas."
    if not asks_model(case):
        return Route.EXHAUSTED, "Every stage of the portfolio is tried."
    route, why = choose(standing_of(case, attempt, calls_left(case)))
    return route, f"Every stage of the portfolio is tried. {why}"


def _may_plan(case: Case) -> bool:
    """Whether another plan may be made for the portfolio's stages."""
    if case.plan_number >= case.config.planner.plans:
        return False
    if plan_engine(case, case.plan_number + 1) == "portfolio":
        return True
    able = calls_left(case) > 0 and model_plans(case) < case.config.llm.plans
    return able and not asks_model(case)
