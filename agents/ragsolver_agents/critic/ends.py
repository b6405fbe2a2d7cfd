"""How a problem ends, with the report and a sentence for a person."""

from typing import Literal

from ragsolver_agents.critic.report import report
from ragsolver_agents.critic.statement_notes import machine_written
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.report import Outcome

FailedOutcome = Literal[Outcome.NOT_PROVED, Outcome.STATEMENT_FALSE, Outcome.INFRASTRUCTURE]

SUSPECT = "The statement is suspect: "
"""How the message begins."""


def proved(case: Case, trigger: AnyEvent) -> Payload:
    """Solved; or the statement is false, where its negation was proved."""
    accepted = case.accepted
    assert accepted is not None  # noqa: S101 - the caller looked
    strategy = case.candidates[(accepted.attempt, accepted.candidate)].strategy
    where = f"by {strategy} in attempt {accepted.attempt}"
    if accepted.verdict.negated:
        written = " A model wrote it." if machine_written(case) else ""
        message = f"The statement is false as given: its negation is proved {where}.{written}"
        return failed(case, Outcome.STATEMENT_FALSE, message, trigger)
    written = " A model wrote the statement." if machine_written(case) else ""
    message = f"Proved {where}.{written}"
    return ProblemSolved(report=report(case, Outcome.SOLVED, message, trigger))


def exhausted(case: Case, why: str, trigger: AnyEvent) -> ProblemFailed:
    """Not proved; a failure of infrastructure where not one candidate was judged."""
    if case.candidates and not case.verdicts:
        message = "No candidate could be checked: the checker failed on every one of them."
        return failed(case, Outcome.INFRASTRUCTURE, message, trigger)
    return failed(case, Outcome.NOT_PROVED, f"No proof was found. {why}", trigger)


def suspect(case: Case, why: str, trigger: AnyEvent) -> ProblemFailed:
    """Not proved, because the statement does not say what it should or cannot be proved."""
    return failed(case, Outcome.NOT_PROVED, f"{SUSPECT}{why}", trigger)


def failed(case: Case, outcome: FailedOutcome, message: str, trigger: AnyEvent) -> ProblemFailed:
    """The end without a proof of the statement."""
    ended = report(case, outcome, message, trigger)
    return ProblemFailed(outcome=outcome, message=message, report=ended)
