"""The planner's decision: one subgoal, with what to look up for it."""

from ragsolver_agents.engines import require_portfolio
from ragsolver_agents.planner.queries import first_queries, math_area, other_queries
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import StatementChecked
from ragsolver_contracts.events_work import AttemptCritiqued, ProblemPlanned
from ragsolver_contracts.plan import Subgoal

SUBGOAL = "s1"


def decide(case: Case, trigger: AnyEvent) -> list[ProblemPlanned]:
    """A first plan for a statable statement; another one when the critic asks for it."""
    if case.problem is None or case.statement is None or case.statement.view is None:
        return []
    match trigger.data:
        case StatementChecked(statable=True):
            number = 1
        case AttemptCritiqued(route=Route.REPLAN, attempt=attempt):
            if attempt != case.attempt_number:
                return []
            number = _next_plan(case, attempt)
        case _:
            return []
    require_portfolio(case, "planner")
    view = case.statement.view
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


def _next_plan(case: Case, attempt: int) -> int:
    """Number of the plan that the critique of an attempt asks for: one above the attempt's own."""
    return case.sketches[attempt].plan + 1
