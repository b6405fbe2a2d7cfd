"""Given these events, expect these candidates."""

import pytest

from ragsolver_agents.formalizer.decide import EmptySketchError, decide
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import ProofSketched
from ragsolver_contracts.run_config import Budget, PortfolioConfig, PortfolioStage, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import checked, evidence, view

STAGES = (
    PortfolioStage(name="close", families=("close",), max_heartbeats=5_000, timeout_s=3.0),
    PortfolioStage(name="refute", families=("refute",), negated=True),
    PortfolioStage(name="lemmas", families=("lemmas",)),
    PortfolioStage(name="gcd", families=("gcd",)),
    PortfolioStage(name="mixed", families=("search", "close", "library")),
)
CONFIG = RunConfig(
    portfolio=PortfolioConfig(stages=STAGES, batch_size=4), budget=Budget(lean_s=2.0)
)
BEFORE = [
    ProblemSubmitted(problem=problem()),
    checked(view("n < 7", ("n", "Nat"))),
    evidence([("Nat.lt_irrefl", "¬n < n")]),
]


BOUNDED = view("n * n * n < 343", ("n", "Nat"), ("h", "n < 7"))


def proposed(stage, *more, before=BEFORE):
    sketch = ProofSketched(attempt=1, plan=1, text="x", stage=stage)
    events = [event(payload) for payload in (*before, sketch, *more)]
    return decide(Case.fold("r1", "add_zero_nat", events, CONFIG), events[len(before)])


def test_batches_are_closed_by_their_last_candidate_and_the_attempt_by_the_last_of_all():
    candidates = proposed("close")
    assert [item.candidate for item in candidates] == list(range(len(candidates)))
    assert [item.batch for item in candidates] == [n // 4 for n in range(len(candidates))]
    closing = [item.candidate for item in candidates if item.closes_batch]
    assert closing == [3, len(candidates) - 1]
    assert [item.candidate for item in candidates if item.closes_attempt] == closing[-1:]


def test_limits_are_the_stages_within_what_is_left():
    assert {(c.limits.max_heartbeats, c.limits.timeout_s) for c in proposed("close")} == {
        (5_000, 2.0)
    }


def test_what_may_end_its_process_is_alone_in_its_batch():
    candidates = proposed("mixed", before=[BEFORE[0], checked(BOUNDED)])
    alone = [c for c in candidates if c.alone]
    assert alone
    assert all(c.closes_batch and c.strategy.startswith("search/") for c in alone)
    assert len({c.batch for c in alone}) == len(alone)
    assert not any(c.batch in {a.batch for a in alone} for c in candidates if not c.alone)


def test_probes_are_marked_and_expectations_told():
    candidates = {c.strategy: c for c in proposed("mixed")}
    assert candidates["library/exact"].probe
    assert not candidates["close/omega"].probe
    assert all(0 < c.expected_success < 1 for c in candidates.values())


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
