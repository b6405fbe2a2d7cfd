"""Given these histories, expect these routes and ends."""

import pytest

from ragsolver_agents.critic.decide import decide
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_run import ProblemRefused, ProblemSubmitted, WorkFailed
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import (
    AttemptCritiqued,
    ProblemFailed,
    ProblemSolved,
    VerdictIssued,
)
from ragsolver_contracts.problem import RefusalReason
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import (
    Budget,
    Engines,
    PlannerConfig,
    PortfolioConfig,
    PortfolioStage,
    RetrievalConfig,
    RunConfig,
)
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import World, accepted, checked, rejected, view

STAGES = (
    PortfolioStage(name="close", families=("close",)),
    PortfolioStage(name="refute", families=("refute",), negated=True),
    PortfolioStage(name="lemmas", families=("hinted", "lemmas")),
)
CONFIG = RunConfig(portfolio=PortfolioConfig(stages=STAGES))
FALSE = view("n < 7", ("n", "Nat"))


def played(judge, *, statement=FALSE, retrieve=lambda _: (), config=CONFIG, **changes):
    world = World(problem(**changes), checked(statement), judge, retrieve, config)
    return world.play()


def routes(case):
    return [critique.route for critique in case.critiques.values()]


def no(_candidate):
    return rejected("omega could not prove the goal:\n")


def test_an_accepted_candidate_solves_the_problem():
    case = played(lambda c: accepted("Nat.lt_irrefl") if c.candidate == 2 else no(c))
    (solved,) = case.payloads(ProblemSolved)
    assert solved.report.message == "Proved by close/simp_all in attempt 1."
    assert solved.report.proof.candidate == 2
    assert routes(case) == []


def test_an_accepted_negation_says_that_the_statement_is_false():
    case = played(lambda c: accepted(negated=True) if c.negated else no(c))
    (failed,) = case.payloads(ProblemFailed)
    assert failed.outcome is Outcome.STATEMENT_FALSE
    assert failed.report.proof.negated
    assert routes(case) == [Route.RETRY]


def test_stages_are_retried_then_planned_again_then_exhausted():
    names = iter(["Nat.a", "Nat.b"])
    case = played(no, retrieve=lambda _: [(next(names), "")])
    assert routes(case) == [Route.RETRY, Route.RETRY, Route.REPLAN, Route.EXHAUSTED]
    assert [s.stage for s in case.sketches.values()] == ["close", "refute", "lemmas", "lemmas"]
    assert case.outcome is Outcome.NOT_PROVED


@pytest.mark.parametrize("plans", [1, 3])
def test_plans_are_as_many_as_the_configuration_allows(plans):
    names = iter(["Nat.a", "Nat.b", "Nat.c"])
    config = CONFIG.model_copy(update={"planner": PlannerConfig(plans=plans)})
    case = played(no, retrieve=lambda _: [(next(names), "")], config=config)
    assert routes(case).count(Route.REPLAN) == plans - 1
    assert len(case.plans) == plans
    assert case.outcome is Outcome.NOT_PROVED


def test_a_second_plan_that_finds_nothing_new_ends_the_problem():
    case = played(no, retrieve=lambda _: [("Nat.a", "")])
    assert routes(case)[-1] is Route.REPLAN
    (failed,) = case.payloads(ProblemFailed)
    assert failed.message == "No proof was found. Retrieval gave nothing new to try."


def test_an_unknown_identifier_is_looked_up_and_what_is_found_is_tried():
    def judge(candidate):
        if candidate.strategy == "hinted/Nat.lt_irefl":
            return rejected("Unknown constant `Nat.lt_irefl`")
        return accepted("Nat.lt_irrefl") if "Nat.lt_irrefl" in candidate.text.proof else no(None)

    def retrieve(queries):
        return [("Nat.lt_irrefl", "¬n < n")] if queries == ("Nat.lt_irefl",) else ()

    case = played(judge, retrieve=retrieve, hints=("use Nat.lt_irefl",))
    last = case.critiques[3]
    assert (last.route, last.error_class) == (Route.RE_RETRIEVE, ErrorClass.UNKNOWN_IDENTIFIER)
    assert last.re_retrieve
    assert last.missing_identifiers == ("Nat.lt_irefl",)
    (solved,) = case.payloads(ProblemSolved)
    (citation,) = solved.report.citations.used_in_proof
    assert citation.locator["decl_name"] == "Nat.lt_irrefl"


def test_without_retrieval_nothing_is_looked_up():
    config = CONFIG.model_copy(update={"retrieval": RetrievalConfig(enabled=False)})
    judge = lambda _: rejected("Unknown constant `Nat.lt_irefl`")  # noqa: E731
    case = played(judge, config=config, hints=("Nat.lt_irefl",))
    assert routes(case) == [Route.RETRY, Route.RETRY, Route.EXHAUSTED]


def test_error_rounds_are_bounded():
    config = CONFIG.model_copy(update={"retrieval": RetrievalConfig(error_rounds=0)})
    judge = lambda _: rejected("Unknown constant `Nat.lt_irefl`")  # noqa: E731
    assert Route.RE_RETRIEVE not in routes(played(judge, config=config))


def test_the_budget_of_attempts_ends_the_problem():
    config = CONFIG.model_copy(update={"budget": Budget(attempts=1)})
    case = played(no, config=config)
    assert routes(case) == [Route.EXHAUSTED]
    (failed,) = case.payloads(ProblemFailed)
    assert "All 1 attempts" in failed.message


def test_checks_that_all_fail_are_no_verdict_on_the_problem():
    assert played(lambda _: None).outcome is Outcome.INFRASTRUCTURE


def test_a_failed_check_beside_verdicts_is_counted_and_the_rest_goes_on():
    case = played(lambda c: None if c.candidate == 0 and c.attempt == 1 else no(c))
    (failed,) = case.payloads(ProblemFailed)
    assert failed.outcome is Outcome.NOT_PROVED
    assert failed.report.failures == 1


def test_an_open_attempt_is_not_judged():
    case = played(no)
    some = [e for e in case.events.values() if not isinstance(e.data, ProblemFailed)]
    verdict = next(e for e in some if isinstance(e.data, VerdictIssued))
    early = [
        e
        for e in some
        if not isinstance(e.data, VerdictIssued | AttemptCritiqued) and e.time <= verdict.time
    ]
    assert decide(Case.fold("r1", "add_zero_nat", [*early, verdict], CONFIG), verdict) == []


def test_a_late_delivery_of_a_judged_attempt_decides_nothing():
    case = played(no, retrieve=lambda _: [("Nat.a", "")])
    open_again = [e for e in case.events.values() if not isinstance(e.data, ProblemFailed)]
    verdict = next(e for e in open_again if isinstance(e.data, VerdictIssued))
    assert decide(Case.fold("r1", "add_zero_nat", open_again, CONFIG), verdict) == []


def decided(*payloads, config=CONFIG, **changes):
    submitted = ProblemSubmitted(problem=problem(**changes))
    events = [event(payload) for payload in (submitted, *payloads)]
    return decide(Case.fold("r1", "add_zero_nat", events, config), events[-1])


def test_a_dead_letter_ends_the_problem_as_a_failure_of_infrastructure():
    dead = WorkFailed(
        failed_role="retriever",
        trigger_id="1",
        trigger_type="t",
        error="IndexMissing",
        message="no index",
    )
    (failed,) = decided(dead)
    assert failed.outcome is Outcome.INFRASTRUCTURE
    assert failed.message == "Could not be worked on: retriever (handle): IndexMissing: no index"


def test_dead_letters_are_reported_whatever_the_engine():
    config = RunConfig(engines=Engines(critic="llm"))
    dead = WorkFailed(
        failed_role="critic", trigger_id="1", trigger_type="t", error="E", message="m"
    )
    (failed,) = decided(dead, config=config)
    assert failed.outcome is Outcome.INFRASTRUCTURE


@pytest.mark.parametrize(
    ("formal", "reason", "expected"),
    [
        ("theorem t : x", RefusalReason.NEEDS_MATHLIB, RefusalReason.NEEDS_MATHLIB),
        ("theorem t : x", RefusalReason.STATEMENT_ERROR, RefusalReason.STATEMENT_ERROR),
        (None, RefusalReason.NO_STATEMENT, RefusalReason.NEEDS_LLM),
    ],
)
def test_what_cannot_be_stated_is_refused_with_its_reason(formal, reason, expected):
    told = StatementChecked(statable=False, reason=reason, detail="why")
    (refused,) = decided(told, formal_statement=formal)
    assert isinstance(refused, ProblemRefused)
    assert refused.reason is expected
    assert refused.message.startswith("why" if formal else "The problem is given in words only")
