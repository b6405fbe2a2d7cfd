"""What may follow a failed attempt, by rule; a model may choose among it, never beyond it.

Calls are planned so that none is left over: an attempt takes two at least (sketch, candidates), a
plan or a critique one more. From any number of calls but one the rest can be spent to the last,
unless tries of a call fail: then a single one may remain, with which no attempt can be made.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ragsolver_agents.attempts import (
    ATTEMPT_CALLS,
    model_attempts,
    model_attempts_left,
    model_plans,
    next_plan,
    plan_engine,
    plan_of,
)
from ragsolver_agents.formalizer.portfolio.spending import affordable
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import Route


@dataclass(frozen=True)
class Standing:
    """What the rules look at after an attempt."""

    calls: int
    """Calls of the budget that are left."""
    attempts: int
    """Attempts that the model may still make."""
    all_attempts: int
    """Attempts that anybody may still make."""
    plans: int = 0
    """Plans that the model may still make."""
    turns: int = 1
    """Attempts of the model that the present plan still has, before another is to be preferred."""
    lookups: int = 0
    """Retrievals in error mode that attempts of the model may still cause."""
    missing: tuple[str, ...] = ()
    """Names that Lean did not know and that were not looked up yet."""
    lean: bool = True
    """Whether time with Lean is left."""

    @property
    def over(self) -> str:
        """Why no attempt of the model can follow; empty where one can."""
        if not self.lean:
            return "The time with Lean is used."
        if self.all_attempts < 1:
            return "All attempts of the budget are used."
        if self.attempts < 1:
            return "All attempts of the model are used."
        if self.calls < ATTEMPT_CALLS:
            return _calls_over(self.calls)
        return ""

    def may_spend(self, calls: int = 1) -> bool:
        """Whether an attempt can follow after these calls, with no single call left over."""
        left = self.calls - calls - ATTEMPT_CALLS
        more = min(self.attempts, self.all_attempts) > 1
        return not self.over and left >= 0 and not (left == 1 and more)


def allowed(standing: Standing) -> tuple[Route, ...]:
    """Every route that the rules allow, their own choice first."""
    if standing.over:
        return (Route.EXHAUSTED,)
    if standing.missing and standing.lookups > 0:
        return (Route.RE_RETRIEVE,)
    if standing.plans < 1 or not standing.may_spend():
        return (Route.RETRY,)
    if standing.turns < 1:
        return (Route.REPLAN, Route.RETRY)
    return (Route.RETRY, Route.REPLAN)


def choose(standing: Standing, advised: Route | None = None) -> tuple[Route, str]:
    """The route, and why in one sentence."""
    routes = allowed(standing)
    route = advised if advised in routes else routes[0]
    match route:
        case Route.EXHAUSTED:
            return route, standing.over
        case Route.RE_RETRIEVE:
            return (
                route,
                f"Lean does not know {', '.join(standing.missing)}: look up what was meant.",
            )
        case Route.REPLAN:
            return route, "Plan it another way."
        case _:
            return route, "Try another sketch."


def standing_of(case: Case, attempt: int, calls: int, missing: Sequence[str] = ()) -> Standing:
    """Where a problem stands after an attempt, its latest.

    Args:
        case: the fold.
        attempt: the attempt, which need not be in the fold yet.
        calls: calls that are left.
        missing: names that Lean did not know in that attempt.
    """
    llm, made = case.config.llm, model_attempts(case)
    plan = plan_of(case, attempt)
    asked = {name for item in case.critiques.values() for name in item.missing_identifiers}
    rounds = sum(
        item.route is Route.RE_RETRIEVE and item.attempt in made
        for item in case.critiques.values()
    )
    retrieval = case.config.retrieval
    plans = (
        llm.plans - model_plans(case)
        if plan_engine(case, next_plan(case, attempt)) == "llm"
        else 0
    )
    served = sum(plan_of(case, n) == plan for n in made)
    share = -(-llm.attempts // max(llm.plans, 1)) if model_plans(case) else 0
    return Standing(
        calls=calls,
        attempts=model_attempts_left(case),
        all_attempts=max(case.config.budget.attempts - attempt, 0),
        plans=max(plans, 0),
        turns=max(share - served, 0),
        lookups=max(retrieval.error_rounds - rounds, 0) if retrieval.enabled else 0,
        missing=tuple(name for name in missing if name not in asked),
        lean=affordable(case, negated=False),
    )


def _calls_over(calls: int) -> str:
    if calls == 0:
        return "All calls of the budget are used."
    return f"{calls} call of the budget is left, and an attempt takes {ATTEMPT_CALLS}."
