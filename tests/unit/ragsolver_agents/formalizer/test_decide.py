"""Given these events, expect these candidates."""

import pytest

from ragsolver_agents.formalizer.decide import EmptySketchError, decide
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import ProofSketched
from ragsolver_contracts.run_config import PortfolioConfig, PortfolioStage, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import checked, evidence, view

STAGES = (
    PortfolioStage(name="close", families=("close",), max_heartbeats=5_000, timeout_s=3.0),
    PortfolioStage(name="refute", families=("refute",), negated=True),
    PortfolioStage(name="lemmas", families=("lemmas",)),
    PortfolioStage(name="gcd", families=("gcd",)),
)
CONFIG = RunConfig(portfolio=PortfolioConfig(stages=STAGES, batch_size=4))
BEFORE = [
    ProblemSubmitted(problem=problem()),
    checked(view("n < 7", ("n", "Nat"))),
    evidence([("Nat.lt_irrefl", "¬n < n")]),
]


def proposed(stage, *more):
    sketch = ProofSketched(attempt=1, plan=1, text="x", stage=stage)
    events = [event(payload) for payload in (*BEFORE, sketch, *more)]
    return decide(Case.fold("r1", "add_zero_nat", events, CONFIG), events[len(BEFORE)])


def test_batches_are_closed_by_their_last_candidate_and_the_attempt_by_the_last_of_all():
    candidates = proposed("close")
    assert [item.candidate for item in candidates] == list(range(len(candidates)))
    assert [item.batch for item in candidates] == [n // 4 for n in range(len(candidates))]
    closing = [item.candidate for item in candidates if item.closes_batch]
    assert closing == [3, len(candidates) - 1]
    assert [item.candidate for item in candidates if item.closes_attempt] == closing[-1:]


def test_limits_are_the_stages():
    assert {(c.limits.max_heartbeats, c.limits.timeout_s) for c in proposed("close")} == {
        (5_000, 3.0)
    }


def test_a_negated_stage_proposes_for_the_negation():
    (candidate,) = proposed("refute")
    assert candidate.negated
    assert "have hc := h (7)" in candidate.text.proof


def test_lemma_candidates_carry_their_citations():
    assert {item.citations for item in proposed("lemmas")} == {("M1",)}


def test_a_second_delivery_proposes_the_same_though_some_are_stored():
    candidates = proposed("close")
    assert proposed("close", *candidates[:2]) == candidates


def test_a_stage_with_nothing_to_propose_is_an_error():
    with pytest.raises(EmptySketchError, match="stage 'gcd'"):
        proposed("gcd")
