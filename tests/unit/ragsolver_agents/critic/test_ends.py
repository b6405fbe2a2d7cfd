"""The ends of a problem, each with its sentence."""

from ragsolver_agents.critic.ends import exhausted, failed, proved, suspect
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_statement import StatementProposed
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import PortfolioConfig, PortfolioStage, RunConfig
from ragsolver_contracts.testing import event, problem
from suites.deciding_world import World, accepted, checked, view

TRIGGER = event(ProblemSubmitted(problem=problem()))
EMPTY = Case.fold("r1", "add_zero_nat", [TRIGGER])


def won(*, negated: bool = False, written: bool = False) -> Case:
    stages = (PortfolioStage(name="close", families=("close",), negated=negated),)
    config = RunConfig(portfolio=PortfolioConfig(stages=stages))
    statement = checked(view("n < 7", ("n", "Nat")))
    world = World(problem(), statement, lambda _: accepted(negated=negated), config=config)
    world.play()
    known = [e for e in world.events if not isinstance(e.data, ProblemSolved | ProblemFailed)]
    if written:
        known.append(event(StatementProposed(statement=1, formal_statement="theorem t : x")))
    return Case.fold("r1", "add_zero_nat", known, config)


def test_a_proof_says_by_what_and_of_whose_statement():
    message = proved(won(), TRIGGER).report.message
    assert message.startswith("Proved by close/")
    assert message.endswith(" in attempt 1.")
    assert proved(won(written=True), TRIGGER).report.message.endswith(
        "A model wrote the statement."
    )


def test_a_refutation_says_that_the_statement_is_false():
    end = proved(won(negated=True, written=True), TRIGGER)
    assert end.outcome is Outcome.STATEMENT_FALSE
    assert end.message.startswith("The statement is false as given")
    assert end.message.endswith("A model wrote it.")


def test_an_exhausted_problem_says_why():
    assert exhausted(EMPTY, "All is tried.", TRIGGER).message == (
        "No proof was found. All is tried."
    )


def test_a_suspect_statement_is_no_proof_of_the_contrary():
    end = suspect(EMPTY, "n = 0 contradicts it.", TRIGGER)
    assert end.outcome is Outcome.NOT_PROVED
    assert end.message == "The statement is suspect: n = 0 contradicts it."


def test_a_failure_carries_its_report():
    end = failed(EMPTY, Outcome.INFRASTRUCTURE, "no server", TRIGGER)
    assert end.report.outcome is Outcome.INFRASTRUCTURE
    assert end.report.message == "no server"
