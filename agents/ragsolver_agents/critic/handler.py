"""The critic as a worker."""

from ragsolver_agents.critic.model import decide
from ragsolver_agents.engines import MAX_WORK_S, asking_opener
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import ProblemRefused, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    EvidenceRetrieved,
    ProblemFailed,
    ProblemSolved,
    VerdictIssued,
)
from ragsolver_runtime.worker import WorkerSpec


def wants(trigger: AnyEvent) -> bool:
    """Not what the planner is to do, and of its own judgements those that may end a problem."""
    match trigger.data:
        case StatementChecked(statable=statable, statement=number):
            return not statable or number > 0
        case AttemptCritiqued(route=route):
            return route is Route.EXHAUSTED
        case StatementJudged(faithful=faithful):
            return not faithful
        case _:
            return True


WORKER = WorkerSpec(
    role="critic",
    triggers=(
        StatementChecked,
        StatementJudged,
        EvidenceRetrieved,
        VerdictIssued,
        WorkFailed,
        AttemptAbandoned,
        AttemptCritiqued,
    ),
    emits=(
        AttemptAbandoned,
        AttemptCritiqued,
        StatementJudged,
        ProblemSolved,
        ProblemFailed,
        ProblemRefused,
    ),
    open=asking_opener(decide),
    wants=wants,
    concurrency=4,
    max_work_s=MAX_WORK_S,
)
