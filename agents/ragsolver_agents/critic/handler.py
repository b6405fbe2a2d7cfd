"""The critic as a worker."""

from ragsolver_agents.critic.decide import decide
from ragsolver_agents.engines import opener
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
from ragsolver_runtime.worker import WorkerSpec


def wants(trigger: AnyEvent) -> bool:
    """Everything but statable statements, which are the planner's."""
    return not isinstance(trigger.data, StatementChecked) or not trigger.data.statable


WORKER = WorkerSpec(
    role="critic",
    triggers=(StatementChecked, EvidenceRetrieved, VerdictIssued, WorkFailed),
    emits=(AttemptCritiqued, ProblemSolved, ProblemFailed, ProblemRefused),
    open=opener(decide),
    wants=wants,
    concurrency=4,
)
