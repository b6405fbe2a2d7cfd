"""Events of decomposition: holes of a sketch become problems of their own."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from ragsolver_contracts.base import Model
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.report import Outcome


class ChildProblem(Model):
    """One hole as a problem of its own."""

    hole_id: str = Field(pattern=r"^h[0-9]+$")
    problem_id: str
    formal_statement: str
    """Lean 4 declaration without proof, ending before `:=`."""
    declaration: str
    llm_calls: int = Field(default=0, ge=0)
    """Calls of the parent's budget that it was granted."""


class ProblemDecomposed(Payload):
    """The sketch of an attempt holds but for its holes, which are problems now."""

    NAME: ClassVar[str] = "problem_decomposed"

    attempt: int = Field(ge=1)
    children: tuple[ChildProblem, ...] = Field(min_length=1)

    def decides(self) -> Sequence[str | int]:
        """One decomposition per attempt."""
        return (self.attempt,)


class HoleClosed(Payload):
    """A child problem ended; said of its parent."""

    NAME: ClassVar[str] = "hole_closed"

    attempt: int = Field(ge=1)
    hole_id: str = Field(pattern=r"^h[0-9]+$")
    child_id: str
    outcome: Outcome
    text: CandidateText | None = None
    """The accepted proof, where it was solved."""
    message: str = ""
    llm_calls: int = Field(default=0, ge=0)
    """Calls that the child and its own children made; the rest of its grant goes back."""

    def decides(self) -> Sequence[str | int]:
        """One end per hole and attempt."""
        return (self.attempt, self.hole_id)
