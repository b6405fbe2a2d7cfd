"""The critic as a worker."""

from ragsolver_agents.critic.family import lost, with_children
from ragsolver_agents.critic.model import decide
from ragsolver_agents.engines import MAX_WORK_S, asking_opener
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_run import (
    ProblemCancelled,
    ProblemRefused,
    ProblemSubmitted,
    WorkFailed,
)
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
        case HoleClosed() as closed:
            return lost(closed)
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
        HoleClosed,
    ),
    emits=(
        AttemptAbandoned,
        AttemptCritiqued,
        StatementJudged,
        ProblemDecomposed,
        ProblemSubmitted,
        HoleClosed,
        ProblemSolved,
        ProblemFailed,
        ProblemRefused,
        ProblemCancelled,
    ),
    open=asking_opener(with_children(decide)),
    wants=wants,
    concurrency=4,
    max_work_s=MAX_WORK_S,
)
