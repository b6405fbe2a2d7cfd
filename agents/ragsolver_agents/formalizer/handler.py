"""The formalizer as a worker."""

from ragsolver_agents.engines import MAX_WORK_S, asking_opener
from ragsolver_agents.formalizer.model import decide
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.events_work import AttemptAbandoned, CandidateProposed, ProofSketched
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.worker import WorkerSpec


def wants(trigger: AnyEvent) -> bool:
    """Sketches, solved holes of them, and what says that a statement has to be written."""
    match trigger.data:
        case StatementChecked(statable=statable):
            return not statable
        case StatementJudged(faithful=faithful):
            return not faithful
        case HoleClosed(outcome=outcome):
            return outcome is Outcome.SOLVED
        case _:
            return True


WORKER = WorkerSpec(
    role="formalizer",
    triggers=(ProofSketched, StatementChecked, StatementJudged, HoleClosed),
    emits=(CandidateProposed, StatementProposed, AttemptAbandoned),
    open=asking_opener(decide),
    wants=wants,
    concurrency=4,
    max_work_s=MAX_WORK_S,
)
