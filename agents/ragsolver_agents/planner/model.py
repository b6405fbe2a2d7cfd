"""The planner with a model: exemplars and what was tried in, subgoals with queries out."""

import asyncio
from collections.abc import Sequence

from ragsolver_agents.attempts import plan_engine
from ragsolver_agents.llm.fences import one_line
from ragsolver_agents.llm.prompts import Plain, prompt_file, render
from ragsolver_agents.llm.shown import (
    history,
    lemma_lines,
    listed,
    passage_lines,
    statement,
    words,
)
from ragsolver_agents.planner import decide as portfolio
from ragsolver_agents.planner.answers import PlanAnswer, PlannedSubgoal
from ragsolver_agents.planner.queries import MAX_QUERY
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import AttemptAbandoned, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_runtime.llm.port import LlmPort, NoAnswer, Question

MOST_SUBGOALS = 6
MOST_QUERIES = 3
_STATEMENT = 2_000


async def decide(case: Case, trigger: AnyEvent, llm: LlmPort) -> Sequence[Payload]:
    """The next plan, by the portfolio or by a model."""
    number = portfolio.asked_plan(case, trigger)
    if number is None:
        return []
    if plan_engine(case, number) == "portfolio":
        return await asyncio.to_thread(portfolio.decide, case, trigger)
    if case.outcome is not None or number in case.plans:
        return []
    said = await llm.ask(case, trigger, question(case, number))
    if isinstance(said, NoAnswer):
        return [
            AttemptAbandoned(
                agent="planner", plan=number, outcome=said.outcome, message=said.message
            )
        ]
    return [ProblemPlanned(plan=number, subgoals=subgoals(case, said.value), engine="llm")]


def question(case: Case, number: int) -> Question[PlanAnswer]:
    """What the model is asked for a plan."""
    plans = [
        one_line(f"plan {plan.plan}, {goal.subgoal_id}: {goal.statement_nl} {goal.formal_hint}")
        for plan in case.plans.values()
        for goal in plan.subgoals
    ]
    prompt = render(
        prompt_file("ragsolver_agents.planner", "plan"),
        {
            "words": words(case),
            "statement": statement(case),
            "passages": listed(passage_lines(case).values()),
            "lemmas": listed(lemma_lines(case).values()),
            "plans": listed(plans),
            "history": history(case),
            "number": Plain(str(number)),
        },
    )
    return Question("planner", "plan", prompt, PlanAnswer)


def subgoals(case: Case, answer: PlanAnswer) -> tuple[Subgoal, ...]:
    """The plan as the run takes it: six subgoals at most, each with something to look up."""
    return tuple(
        _subgoal(case, number, planned)
        for number, planned in enumerate(answer.subgoals[:MOST_SUBGOALS], start=1)
    )


def _subgoal(case: Case, number: int, planned: PlannedSubgoal) -> Subgoal:
    said = one_line(planned.statement_nl, _STATEMENT)
    hint = one_line(planned.formal_hint, _STATEMENT)
    view = case.statement.view if case.statement is not None else None
    asked = [one_line(query, MAX_QUERY) for query in planned.search_queries]
    # A model that gives too few is helped out with its own words, then with the statement's.
    spare = [said[:MAX_QUERY], hint[:MAX_QUERY], view.target[:MAX_QUERY] if view else ""]
    queries = list(dict.fromkeys(query for query in asked if query))[:MOST_QUERIES]
    for query in spare:
        if len(queries) < 2 and query and query not in queries:
            queries.append(query)
    return Subgoal(
        subgoal_id=f"s{number}",
        statement_nl=said,
        formal_hint=hint,
        search_queries=tuple(queries or ["theorem"]),
        math_area=one_line(planned.math_area, 100),
    )
