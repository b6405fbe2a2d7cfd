"""Stages come in order; what was tried is not tried again."""

import pytest

from ragsolver_agents.formalizer.portfolio.script import Script
from ragsolver_agents.formalizer.portfolio.select import (
    MAX_SCRIPTS,
    UnknownFamilyError,
    is_dangerous,
    next_choice,
    stage_scripts,
    uses_lemmas,
)
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched, VerdictIssued
from ragsolver_contracts.run_config import (
    Budget,
    Experience,
    PortfolioConfig,
    PortfolioStage,
    RunConfig,
)
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import checked, evidence, rejected, view

STAGES = (
    PortfolioStage(name="lemmas", families=("hinted", "lemmas")),
    PortfolioStage(name="close", families=("close",), max_heartbeats=9_000),
)


GRIND = Experience(strategy="close/grind", shape="Nat/=", tries=50, accepted=50, mean_ms=10.0)
SIMP = Experience(strategy="close/simp", shape="Nat/=", tries=50, accepted=40, mean_ms=10.0)


def learned(*experience, stages=STAGES):
    """A case whose stages are ordered by experience."""
    submitted = ProblemSubmitted(problem=problem())
    said = (submitted, checked(view("n = n", ("n", "ℕ"))))
    portfolio = PortfolioConfig(stages=stages, order="learned", experience=experience)
    config = RunConfig(portfolio=portfolio)
    return Case.fold("r1", "add_zero_nat", [event(payload) for payload in said], config)


def case(*payloads, stages=STAGES, **changes):
    submitted = ProblemSubmitted(problem=problem(**changes))
    said = (submitted, checked(view("n = n", ("n", "ℕ"))), *payloads)
    config = RunConfig(portfolio=PortfolioConfig(stages=stages))
    return Case.fold("r1", "add_zero_nat", [event(payload) for payload in said], config)


def tried(choice, attempt=1):
    return [
        CandidateProposed(
            attempt=attempt,
            candidate=number,
            batch=0,
            closes_batch=False,
            closes_attempt=False,
            text=CandidateText(preamble=script.preamble, proof=script.proof),
            strategy=script.strategy,
            negated=choice.stage.negated,
            limits=CheckLimits(max_heartbeats=choice.stage.max_heartbeats),
        )
        for number, script in enumerate(choice.scripts)
    ]


def test_a_stage_without_scripts_is_passed_over():
    assert next_choice(case()).stage.name == "close"


def test_everything_tried_leaves_nothing():
    assert next_choice(case(*tried(next_choice(case())))) is None


def test_new_evidence_brings_a_lemma_stage_back():
    found = evidence([("Nat.one", "")])
    first = next_choice(case(found))
    before = (found, *tried(first))
    assert next_choice(case(*before)).stage.name == "close"
    more = evidence([("Nat.two", "")], attempt=1, start=2)
    again = next_choice(case(*before, more))
    assert again.stage.name == "lemmas"
    assert not set(again.scripts) & set(first.scripts)


def test_other_limits_are_another_try():
    deeper = (*STAGES, PortfolioStage(name="deep", families=("close",), max_heartbeats=90_000))
    choice = next_choice(case(stages=deeper))
    assert next_choice(case(*tried(choice), stages=deeper)).stage.name == "deep"


def test_named_identifiers_are_tried():
    choice = next_choice(case(hints=("Nat.le_refl",)))
    assert [script.strategy for script in choice.scripts] == ["hinted/Nat.le_refl"]


def test_an_attempts_own_candidates_do_not_count_as_tried():
    sketch = ProofSketched(attempt=1, plan=1, text="x", stage="close")
    choice = next_choice(case())
    assert stage_scripts(case(sketch, *tried(choice)[:2]), 1) == choice


def test_an_unknown_stage_has_no_scripts():
    sketch = ProofSketched(attempt=1, plan=1, text="x", stage="gone")
    assert stage_scripts(case(sketch), 1) is None


def test_an_unknown_family_is_named_with_the_known_ones():
    stages = (PortfolioStage(name="mine", families=("magic",)),)
    with pytest.raises(UnknownFamilyError, match=r"stages\[mine\].*'magic'.*known: sketch"):
        next_choice(case(stages=stages))


def test_a_stage_is_capped():
    every = PortfolioStage(name="all", families=("lemmas", "hinted"))
    hints = tuple(f"Nat.hint_{n}" for n in range(20))
    choice = next_choice(case(evidence([(f"Nat.l{n}", "") for n in range(60)]), hints=hints))
    assert len(choice.scripts) <= MAX_SCRIPTS
    assert uses_lemmas(every)
    assert not uses_lemmas(STAGES[1])


def test_experience_orders_the_scripts_of_a_stage():
    choice = next_choice(learned(SIMP, GRIND))
    assert [s.strategy for s in choice.scripts][:2] == ["close/grind", "close/simp"]
    assert "proofs/s" in choice.reason
    assert choice.planned[0][1].success > 0.9


def test_experience_orders_the_stages():
    stages = (
        PortfolioStage(name="library", families=("library",)),
        PortfolioStage(name="close", families=("close",)),
    )
    assert next_choice(learned(GRIND, stages=stages)).stage.name == "close"
    found = Experience(strategy="library/exact", shape="Nat/=", tries=50, accepted=50, mean_ms=1)
    assert next_choice(learned(GRIND, found, stages=stages)).stage.name == "library"


def test_the_order_is_the_same_every_time():
    assert next_choice(learned(SIMP, GRIND)) == next_choice(learned(SIMP, GRIND))


def test_a_used_up_budget_leaves_nothing_to_try():
    spent = VerdictIssued(
        attempt=1,
        candidate=0,
        verdict=rejected("no").model_copy(update={"elapsed_ms": 5_000.0}),
    )
    asked = case(spent)
    assert next_choice(asked) is not None
    tight = RunConfig(budget=Budget(lean_s=5.0), portfolio=asked.config.portfolio)
    assert next_choice(Case.fold("r1", "add_zero_nat", asked.events.values(), tight)) is None


def test_searches_are_dangerous():
    assert is_dangerous(Script("search/kernel", "by x"))
    assert not is_dangerous(Script("close/omega", "by omega"))
