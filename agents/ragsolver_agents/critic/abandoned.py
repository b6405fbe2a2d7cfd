"""What follows when an agent got no answer of a model."""

from ragsolver_agents.attempts import end_of_plan, latest_attempt
from ragsolver_agents.calls import calls_left
from ragsolver_agents.critic.ends import exhausted, failed
from ragsolver_agents.critic.routes import choose, standing_of
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_statement import StatementJudged
from ragsolver_contracts.events_work import AttemptAbandoned, AttemptCritiqued
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.report import Outcome

_ANSWERS = frozenset(
    {
        LlmOutcome.ANSWERED,
        LlmOutcome.REFUSED,
        LlmOutcome.TRUNCATED,
        LlmOutcome.INVALID,
        LlmOutcome.CONTEXT_OVERFLOW,
    }
)
"""The server works and the model said something, or would have."""

_BUSY = "try again later, or lower [model] requests_per_minute or concurrency in workers.toml"
_WHAT_TO_DO = {
    LlmOutcome.UNAUTHORIZED: "set ANTHROPIC_API_KEY, in the environment of the workers, to a key "
    "that may use the model {model!r}",
    LlmOutcome.REJECTED: "check the name llm.model = {model!r} and llm.parameters in the run "
    "configuration, and [model] base_url in workers.toml",
    LlmOutcome.CONNECTION: "check [model] base_url in workers.toml, the network and the server",
    LlmOutcome.STALLED: "raise [model] stall_s in workers.toml, or try again later",
    LlmOutcome.LOST: "the process that asked died: see its log, and try again",
    LlmOutcome.RATE_LIMITED: _BUSY,
    LlmOutcome.OVERLOADED: _BUSY,
    LlmOutcome.SERVER_ERROR: "try again later; the server's own log says more",
}


def is_infrastructure(case: Case, outcome: LlmOutcome) -> bool:
    """Whether no answer says that nobody can be asked, rather than something of the question.

    A key that is refused is refused for all. Any other failure ends the problem only where the
    server has not answered it yet: else the next attempt may fare better.
    """
    if outcome in _ANSWERS:
        return False
    answered = any(call.outcome in _ANSWERS for call in case.payloads(LlmCalled))
    return outcome is LlmOutcome.UNAUTHORIZED or not answered


def what_to_do(case: Case, outcome: LlmOutcome, message: str) -> str:
    """What happened, and what a person can do about it."""
    said = message.strip().rstrip(".") or f"the call ended {outcome.value}"
    advice = _WHAT_TO_DO.get(outcome)
    return f"{said}. To go on: {advice.format(model=case.config.llm.model)}." if advice else said


def judge_abandoned(case: Case, ended: AttemptAbandoned, trigger: AnyEvent) -> list[Payload]:
    """The next attempt where one is left, else the end."""
    what = _task(ended)
    if ended.outcome is not None and is_infrastructure(case, ended.outcome):
        said = what_to_do(case, ended.outcome, ended.message)
        return [failed(case, Outcome.INFRASTRUCTURE, f"No model gave {what}: {said}", trigger)]
    if ended.statement:
        return _no_statement(case, ended, trigger)
    attempt = _attempt(case, ended)
    critique = case.critiques.get(attempt)
    told: list[Payload] = []
    if critique is None:
        if attempt < latest_attempt(case):
            return []
        critique = _critique(case, ended, attempt, what)
        told.append(critique)
    if critique.route is Route.EXHAUSTED:
        told.append(_end(case, ended, critique, trigger))
    return told


def _attempt(case: Case, ended: AttemptAbandoned) -> int:
    return ended.attempt or end_of_plan(case, ended.plan)


def _critique(case: Case, ended: AttemptAbandoned, attempt: int, what: str) -> AttemptCritiqued:
    calls = calls_left(case) if ended.outcome is not None else 0
    route, why = choose(standing_of(case, attempt, calls))
    failure = ended.outcome is not None and ended.outcome not in _ANSWERS
    why_not = f"No model gave {what}: {ended.message.strip() or 'no call is left.'}"
    return AttemptCritiqued(
        attempt=attempt,
        error_class=ErrorClass.INFRASTRUCTURE if failure else ErrorClass.OTHER,
        route=route,
        advice=f"{why_not.rstrip('.')}. {why}",
    )


def _end(
    case: Case, ended: AttemptAbandoned, critique: AttemptCritiqued, trigger: AnyEvent
) -> Payload:
    """An end on a failure of the server is one of infrastructure, whatever was tried before."""
    if ended.outcome is not None and ended.outcome not in _ANSWERS:
        said = what_to_do(case, ended.outcome, critique.advice)
        return failed(case, Outcome.INFRASTRUCTURE, said, trigger)
    return exhausted(case, critique.advice, trigger)


def _no_statement(case: Case, ended: AttemptAbandoned, trigger: AnyEvent) -> list[Payload]:
    """The formalizer writes another one after a judgement, be it that there was none."""
    said = ended.message.strip() or "no call is left."
    if ended.agent == "critic":
        message = f"The statement that a model wrote was not judged: {said}"
        return [failed(case, Outcome.NOT_PROVED, message, trigger)]
    if ended.outcome is not None and ended.statement < case.config.llm.statements:
        reason = f"There is none: {said}"
        judged = StatementJudged(statement=ended.statement, faithful=False, reason=reason)
        known = any(item.statement == ended.statement for item in case.payloads(StatementJudged))
        return [] if known else [judged]
    message = f"No Lean statement was written for the words: {said}"
    return [failed(case, Outcome.NOT_PROVED, message, trigger)]


def _task(ended: AttemptAbandoned) -> str:
    if ended.statement:
        judged = "a judgement of " if ended.agent == "critic" else ""
        return f"{judged}statement {ended.statement}"
    if ended.agent == "planner":
        return f"plan {ended.plan}"
    words = "candidates" if ended.agent == "formalizer" else "a sketch"
    return f"{words} for attempt {ended.attempt}"
