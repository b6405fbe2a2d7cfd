"""The formalizer is wired to what it decides on."""

from importlib.metadata import entry_points

from ragsolver_agents.formalizer.handler import WORKER
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import ProofSketched
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.testing import event
from suites.deciding_world import checked, view
from suites.family_world import closed


def test_the_worker_is_registered_under_its_role():
    (found,) = entry_points(group="ragsolver.workers", name="formalizer")
    assert found.load() is WORKER
    assert WORKER.role == "formalizer"


def test_sketches_and_statements_to_write_are_wanted():
    bad = StatementChecked(statable=False, reason=RefusalReason.NEEDS_LLM)
    assert WORKER.wants(event(bad))
    assert not WORKER.wants(event(checked(view("True"))))
    assert WORKER.wants(event(ProofSketched(attempt=1, plan=1, text="t")))
    for faithful in (True, False):
        judged = StatementJudged(statement=1, faithful=faithful, reason="r")
        assert WORKER.wants(event(judged)) == (not faithful)


def test_it_may_not_check_or_judge_what_it_writes():
    assert not {StatementChecked, StatementJudged} & set(WORKER.emits)


def test_solved_holes_are_wanted():
    assert WORKER.wants(event(closed("h1")))
    assert not WORKER.wants(event(closed("h1", Outcome.NOT_PROVED)))
