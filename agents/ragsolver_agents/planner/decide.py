"""The planner's decision: one subgoal, with what to look up for it."""

from ragsolver_agents.attempts import latest_attempt, next_plan
from ragsolver_agents.planner.queries import first_queries, math_area, other_queries
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementChecked, StatementJudged
from ragsolver_contracts.events_work import AttemptCritiqued, ProblemPlanned
from ragsolver_contracts.plan import Subgoal

SUBGOAL = "s1"


def decide(case: Case, trigger: AnyEvent) -> list[ProblemPlanned]:
    """A first plan for a statable statement; another one when the critic asks for it."""
    number = asked_plan(case, trigger)
    if number is None or case.problem is None:
        return []
    assert case.statement is not None  # noqa: S101 - there is a plan only for a statement
    view = case.statement.view
    assert view is not None  # noqa: S101
    alone = case.config.planner.queries == "statement"
    if alone:
        queries = [view.type]  # the same text as the hint, which is asked first
    elif number == 1:
        queries = first_queries(case.problem, view)
    else:
        queries = other_queries(case.problem, view, number)
    subgoal = Subgoal(
        subgoal_id=SUBGOAL,
        statement_nl=case.problem.informal_statement or "",
        formal_hint=view.type,
        search_queries=tuple(queries),
        math_area="" if alone else math_area(view),
    )
    return [ProblemPlanned(plan=number, subgoals=(subgoal,))]


def asked_plan(case: Case, trigger: AnyEvent) -> int | None:
    """Number of the plan that the trigger asks for; none where it asks for none.

    A statement that a machine wrote is planned for once it is judged faithful. A later plan is
    one above those before the attempt whose critique asks for it.
    """
    if case.problem is None or case.statement is None or case.statement.view is None:
        return None
    match trigger.data:
        case StatementChecked(statable=True, statement=0) | StatementJudged(faithful=True):
            return 1
        case AttemptCritiqued(route=Route.REPLAN, attempt=attempt):
            return next_plan(case, attempt) if attempt == latest_attempt(case) else None
        case _:
            return None
