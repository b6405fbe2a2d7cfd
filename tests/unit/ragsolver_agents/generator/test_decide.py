"""Given these events, expect these sketches."""

from ragsolver_agents.formalizer.portfolio.close import Close
from ragsolver_agents.formalizer.portfolio.script import Asked
from ragsolver_agents.generator.decide import decide
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import AttemptCritiqued, CandidateProposed, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.run_config import PortfolioConfig, PortfolioStage, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import checked, evidence, view

VIEW = view("n + 0 = n", ("n", "Nat"))
SUBMITTED = ProblemSubmitted(problem=problem())
PLANNED = ProblemPlanned(
    plan=1, subgoals=(Subgoal(subgoal_id="s1", statement_nl="", search_queries=("q",)),)
)
FOUND = evidence([("Nat.add_zero", "n + 0 = n")])
STAGES = (
    PortfolioStage(name="close", families=("close",), max_heartbeats=5_000),
    PortfolioStage(name="gcd", families=("gcd",)),
    PortfolioStage(name="lemmas", families=("lemmas",)),
)
CONFIG = RunConfig(portfolio=PortfolioConfig(stages=STAGES))


def decided(*payloads, config=CONFIG):
    events = [event(payload) for payload in (SUBMITTED, checked(VIEW), PLANNED, *payloads)]
    return decide(Case.fold("r1", "add_zero_nat", events, config), events[-1])


def tried_close():
    """The candidates of the stage `close`, as the formalizer proposes them."""
    scripts = list(Close().scripts(Asked(VIEW)))
    return [
        CandidateProposed(
            attempt=1,
            candidate=number,
            batch=0,
            closes_batch=number == len(scripts) - 1,
            closes_attempt=number == len(scripts) - 1,
            text=CandidateText(proof=script.proof),
            strategy=script.strategy,
            limits=CheckLimits(max_heartbeats=5_000),
        )
        for number, script in enumerate(scripts)
    ]


def test_evidence_starts_the_first_stage_which_uses_no_citation():
    (sketch,) = decided(FOUND)
    assert (sketch.attempt, sketch.plan, sketch.stage) == (1, 1, "close")
    assert sketch.used_citations == sketch.offered_citations == ()
    assert sketch.holes[0].subgoal_id == "s1"


def test_retry_goes_to_the_next_stage_that_has_something_to_try():
    """`gcd` has nothing for this statement and is passed over."""
    (first,) = decided(FOUND)
    retry = AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=Route.RETRY)
    (sketch,) = decided(FOUND, first, *tried_close(), retry)
    assert (sketch.attempt, sketch.stage) == (2, "lemmas")
    assert sketch.used_citations == ("M1",)
    assert "[M1] Nat.add_zero : n + 0 = n (Init)" in sketch.text


def test_nothing_left_gives_no_sketch():
    (first,) = decided(evidence([]))
    retry = AttemptCritiqued(attempt=1, error_class=ErrorClass.OTHER, route=Route.RETRY)
    assert decided(evidence([]), first, *tried_close(), retry) == []
