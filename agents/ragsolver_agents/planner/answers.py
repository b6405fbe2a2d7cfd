"""What a model answers the planner."""

from pydantic import Field

from ragsolver_contracts.base import Model


class PlannedSubgoal(Model):
    """One piece of the problem."""

    statement_nl: str = Field(description="What is to be shown, in words.")
    formal_hint: str = Field(
        default="", description="The same as a Lean type, as near as you can; may be empty."
    )
    search_queries: tuple[str, ...] = Field(
        default=(), description="Two or three different queries for a library of Lean theorems."
    )
    math_area: str = Field(default="", description="Area of mathematics in one or two words.")


class PlanAnswer(Model):
    """A plan."""

    subgoals: tuple[PlannedSubgoal, ...] = Field(
        min_length=1, description="One to six subgoals, in the order of the proof."
    )
