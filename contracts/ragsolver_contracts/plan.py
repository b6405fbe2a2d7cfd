"""What the planner and the generator write."""

from pydantic import Field

from ragsolver_contracts.base import Model


class Subgoal(Model):
    """A piece of the problem, with what to look up for it."""

    subgoal_id: str = Field(pattern=r"^s[0-9]+$")
    statement_nl: str
    formal_hint: str = ""
    search_queries: tuple[str, ...] = Field(min_length=1, max_length=4)
    math_area: str = ""


class Hole(Model):
    """A named gap of a sketch, to be filled for a subgoal."""

    hole_id: str = Field(pattern=r"^h[0-9]+$")
    subgoal_id: str
    statement: str
