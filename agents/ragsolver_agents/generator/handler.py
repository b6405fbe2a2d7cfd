"""The generator as a worker."""

from ragsolver_agents.engines import MAX_WORK_S, asking_opener
from ragsolver_agents.generator.model import decide
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    EvidenceRetrieved,
    ProofSketched,
)
from ragsolver_runtime.worker import WorkerSpec


def wants(trigger: AnyEvent) -> bool:
    """Evidence, and critiques that ask for the next attempt."""
    return not isinstance(trigger.data, AttemptCritiqued) or trigger.data.route is Route.RETRY


WORKER = WorkerSpec(
    role="generator",
    triggers=(EvidenceRetrieved, AttemptCritiqued),
    emits=(ProofSketched, AttemptAbandoned),
    open=asking_opener(decide),
    wants=wants,
    concurrency=4,
    max_work_s=MAX_WORK_S,
)
