"""The formalizer as a worker."""

from ragsolver_agents.engines import opener
from ragsolver_agents.formalizer.decide import decide
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched
from ragsolver_runtime.worker import WorkerSpec

WORKER = WorkerSpec(
    role="formalizer",
    triggers=(ProofSketched,),
    emits=(CandidateProposed,),
    open=opener(decide),
    concurrency=4,
)
