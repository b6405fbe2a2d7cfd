"""The critic's part in statements: refuse, judge a machine-written one, or give up."""

from ragsolver_agents.critic.abandoned import is_infrastructure
from ragsolver_agents.critic.answers import FidelityAnswer, Said
from ragsolver_agents.critic.ends import suspect
from ragsolver_agents.critic.statement_notes import NOT_JUDGED
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemRefused
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import AttemptAbandoned
from ragsolver_contracts.problem import RefusalReason
from ragsolver_runtime.llm.port import Answer, NoAnswer


def judge_statement(
    case: Case, checked: StatementChecked, trigger: AnyEvent, said: Said
) -> list[Payload]:
    """What follows a check; a statement that somebody posted is never judged."""
    if checked.statement == 0:
        return [] if checked.statable else _refuse(case, checked)
    if not checked.statable:
        return _not_statable(case, checked, trigger)
    if judgement_of(case, checked.statement) is not None:
        return []
    if isinstance(said, NoAnswer) and is_final(case, said):
        number, message = checked.statement, said.message
        return [
            AttemptAbandoned(
                agent="critic", statement=number, outcome=said.outcome, message=message
            )
        ]
    return [_judgement(checked.statement, said)]


def given_up(case: Case, judgement: StatementJudged, trigger: AnyEvent) -> list[Payload]:
    """The end, where the last statement that may be written is not faithful."""
    if judgement.faithful or judgement.statement < case.config.llm.statements:
        return []
    return [suspect(case, _why(case, judgement), trigger)]


def judgement_of(case: Case, statement: int) -> StatementJudged | None:
    """What was judged of one machine-written statement."""
    judged = case.payloads(StatementJudged)
    return next((item for item in judged if item.statement == statement), None)


def is_final(case: Case, said: NoAnswer) -> bool:
    """Whether nothing more can be asked: the budget is used, or nobody answers."""
    return said.outcome is None or is_infrastructure(case, said.outcome)


def _judgement(statement: int, said: Said) -> StatementJudged:
    """A statement that could not be judged is not worked on; one that nobody was to judge is."""
    match said:
        case Answer(value=FidelityAnswer() as value):
            return StatementJudged(
                statement=statement,
                faithful=value.faithful,
                reason=value.reason,
                issues=value.issues,
            )
        case NoAnswer(message=message):
            reason = f"It could not be judged: {message}"
            return StatementJudged(statement=statement, faithful=False, reason=reason)
        case _:
            return StatementJudged(statement=statement, faithful=True, reason=NOT_JUDGED)


def _why(case: Case, judgement: StatementJudged) -> str:
    written = len(case.proposed)
    which = f"none of {written} that a model wrote says what the words say"
    issues = f" ({'; '.join(judgement.issues)})" if judgement.issues else ""
    return f"{which}. Of the last one: {judgement.reason}{issues}"


def _not_statable(case: Case, checked: StatementChecked, trigger: AnyEvent) -> list[Payload]:
    """The formalizer writes another one, up to as many as the configuration allows."""
    if checked.statement < case.config.llm.statements:
        return []
    said = checked.detail or "it does not elaborate"
    message = f"none of {checked.statement} that a model wrote elaborates. Of the last one: {said}"
    return [suspect(case, message, trigger)]


def _refuse(case: Case, checked: StatementChecked) -> list[Payload]:
    problem = case.problem
    if problem is None:
        return []
    reason = checked.reason or RefusalReason.STATEMENT_ERROR
    detail = checked.detail
    if not problem.formal_statement:
        if case.config.engines.formalizer == "llm":
            return []
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
