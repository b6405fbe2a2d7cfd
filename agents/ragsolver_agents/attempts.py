"""Attempts of a problem: what they are numbered, which plan they serve, which engine is next.

An attempt of a model may end without a sketch, where no answer came: its number is taken all the
same. A plan that no model gave an answer for takes one as well, so that its end can be told.
"""

from ragsolver_agents.calls import calls_left
from ragsolver_agents.formalizer.portfolio.select import next_choice
from ragsolver_agents.formalizer.portfolio.spending import affordable
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import (
    AttemptAbandoned,
    AttemptCritiqued,
    EvidenceRetrieved,
    ProblemPlanned,
)
from ragsolver_contracts.run_config import Engine

ATTEMPT_CALLS = 2
"""Calls that an attempt of the model takes at least: its sketch and its candidates."""


def started_attempt(case: Case, trigger: AnyEvent) -> int | None:
    """Number of the attempt that the trigger starts; none where it starts none.

    The join of a plan's retrievals is read off the fold. They are published in the order of the
    subgoals, so only the last one starts: else two deliveries might both ask a model. A trigger
    whose attempt has begun already starts nothing.
    """
    match trigger.data:
        case EvidenceRetrieved(attempt=0, plan=plan, subgoal_id=subgoal):
            if plan != case.plan_number or not case.plan_retrieved(plan):
                return None
            if subgoal != case.plans[plan].subgoals[-1].subgoal_id:
                return None
            number = max((n for n in attempts(case) if plan_of(case, n) < plan), default=0) + 1
        case EvidenceRetrieved(attempt=attempt):
            number = attempt + 1
        case AttemptCritiqued(route=Route.RETRY, attempt=attempt):
            number = attempt + 1
        case _:
            return None
    return number if number == latest_attempt(case) + 1 else None


def attempts(case: Case) -> list[int]:
    """Numbers of the attempts that have begun, in order."""
    return sorted({*case.sketches, *case.critiques, *_unsketched(case)})


def latest_attempt(case: Case) -> int:
    """Number of the latest attempt, 0 before the first."""
    return max(attempts(case), default=0)


def plan_of(case: Case, attempt: int) -> int:
    """The plan that an attempt serves, or that it waited for in vain."""
    sketch = case.sketches.get(attempt)
    if sketch is not None:
        return sketch.plan
    abandoned = _unsketched(case).get(attempt)
    if abandoned is not None:
        return abandoned.plan
    return dict(_plan_ends(case)).get(attempt, case.plan_number)


def next_plan(case: Case, attempt: int) -> int:
    """Number of the plan that the critique of an attempt asks for.

    Above every plan before it, be it one that no model gave an answer for.
    """
    earlier = (plan_of(case, n) for n in attempts(case) if n <= attempt)
    return max(earlier, default=case.plan_number) + 1


def end_of_plan(case: Case, plan: int) -> int:
    """Number of the attempt that stands for a plan without an answer."""
    told = {number: attempt for attempt, number in _plan_ends(case)}
    return told.get(plan, latest_attempt(case) + 1)


def model_attempts(case: Case) -> list[int]:
    """Attempts for whose sketch a model was asked, in order."""
    sketched = [n for n, sketch in case.sketches.items() if sketch.engine == "llm"]
    return sorted({*sketched, *_unsketched(case)})


def model_plans(case: Case) -> int:
    """Plans that a model was asked for, with those that it gave no answer for."""
    made = sum(plan.engine == "llm" for plan in case.payloads(ProblemPlanned))
    return made + len(_unplanned(case))


def plan_engine(case: Case, plan: int) -> Engine:
    """Who makes a plan: the first one is the portfolio's where it comes first."""
    if case.config.engines.planner == "llm" and (plan > 1 or not case.config.llm.portfolio_first):
        return "llm"
    return "portfolio"


def next_engine(case: Case, trigger: AnyEvent) -> Engine | None:
    """Who makes the next attempt, seen before the trigger's own calls; none: nobody can.

    The model takes what the portfolio leaves, and once it has begun it goes on.
    """
    if _portfolio_has_turn(case) and next_choice(case) is not None:
        return "portfolio"
    enough = calls_left(case, trigger) >= ATTEMPT_CALLS
    return "llm" if enough and model_attempts_left(case) and affordable_attempt(case) else None


def asks_model(case: Case) -> bool:
    """Whether a model makes attempts at all under the run's configuration."""
    engines = case.config.engines
    return engines.generator == "llm" and engines.formalizer == "llm"


def model_attempts_left(case: Case) -> int:
    """Attempts that the model may still make."""
    if not asks_model(case):
        return 0
    return max(case.config.llm.attempts - len(model_attempts(case)), 0)


def affordable_attempt(case: Case) -> bool:
    """Whether attempts and Lean time allow another attempt at the statement."""
    within = latest_attempt(case) < case.config.budget.attempts
    return within and affordable(case, negated=False)


def _portfolio_has_turn(case: Case) -> bool:
    if not asks_model(case):
        return True
    return case.config.llm.portfolio_first and not (model_attempts(case) or model_plans(case))


def _unsketched(case: Case) -> dict[int, AttemptAbandoned]:
    """Attempts without a sketch, because no model gave an answer."""
    ended = case.payloads(AttemptAbandoned)
    return {item.attempt: item for item in ended if item.agent == "generator" and item.attempt}


def _unplanned(case: Case) -> list[int]:
    """Plans that no model gave an answer for."""
    ended = case.payloads(AttemptAbandoned)
    return sorted(item.plan for item in ended if item.agent == "planner")


def _plan_ends(case: Case) -> list[tuple[int, int]]:
    """Attempts that stand for plans without an answer, with the plans, in order."""
    known = {*case.sketches, *_unsketched(case)}
    told = sorted(n for n in case.critiques if n not in known)
    return list(zip(told, _unplanned(case), strict=False))
