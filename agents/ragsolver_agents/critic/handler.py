"""The critic as a worker."""

from ragsolver_agents.critic.decide import decide
from ragsolver_agents.engines import opener
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
    """Everything but statable statements that somebody posted, which are the planner's."""
    checked = trigger.data
    return not (
        isinstance(checked, StatementChecked) and checked.statable and checked.statement == 0
    )


WORKER = WorkerSpec(
    role="critic",
    triggers=(StatementChecked, EvidenceRetrieved, VerdictIssued, WorkFailed, AttemptAbandoned),
    emits=(AttemptCritiqued, StatementJudged, ProblemSolved, ProblemFailed, ProblemRefused),
    open=opener(decide),
    wants=wants,
    concurrency=4,
)
