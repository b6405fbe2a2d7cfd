"""The formalizer is wired to what it decides on."""

from importlib.metadata import entry_points

from ragsolver_agents.formalizer.handler import WORKER
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched


def test_the_worker_is_registered_under_its_role():
    (found,) = entry_points(group="ragsolver.workers", name="formalizer")
    assert found.load() is WORKER
    assert WORKER.role == "formalizer"


def test_sketches_become_candidates():
    assert WORKER.triggers == (ProofSketched,)
    assert WORKER.emits == (CandidateProposed,)
