"""What is asked: problem inputs as posted, canonical problems, and the reply to a submission."""

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from ragsolver_contracts.base import Model


class InputSource(Model):
    """Where an input came from."""

    file: str = ""
    line: int | None = None
    """1-based line on which it starts."""
    dataset: str = ""
    """Name of the dataset; empty when its layout does not tell."""
    licence: str = ""
    """SPDX identifier of the dataset's licence; empty when unknown."""


class ProblemInput(Model):
    """What a client posts on the input subject. Untrusted."""

    name: str = Field(min_length=1, max_length=200, pattern=r"^[^/\s_][^/\s]*$")
    """Name within the run; becomes the problem id."""
    run_id: str | None = Field(default=None, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    """The run it belongs to; none: the standing run `inbox`."""
    formal_statement: str | None = Field(default=None, max_length=200_000)
    """Lean 4 declaration `theorem name … : type`, with or without `:= by sorry`."""
    informal_statement: str | None = Field(default=None, max_length=200_000)
    header: str = Field(default="", max_length=50_000)
    """Lean text before the statement: imports, `open`, options."""
    split: str = ""
    source: InputSource = InputSource()
    hints: tuple[str, ...] = Field(default=(), max_length=20)
    """Lemma names or ideas that may help; untrusted."""
    sketch: str = Field(default="", max_length=200_000)
    """A proof, what follows `:=`, with `sorry` for what is missing; untrusted."""


class Parent(Model):
    """Where a child problem comes from: a hole in the sketch of another problem."""

    problem_id: str
    attempt: int = Field(ge=1)
    """The attempt whose sketch has the hole."""
    hole_id: str = Field(pattern=r"^h[0-9]+$")
    ancestors: tuple[str, ...] = Field(min_length=1)
    """Ids from the posted problem down to the parent."""
    llm_calls: int = Field(default=0, ge=0)
    """Calls of the parent's budget that the child may make."""

    @property
    def depth(self) -> int:
        """1 for a child of a posted problem."""
        return len(self.ancestors)

    @model_validator(mode="after")
    def _consistent(self) -> "Parent":
        if self.ancestors[-1] != self.problem_id:
            raise ValueError("the last of the ancestors is the parent")
        return self


class Problem(Model):
    """A canonical problem: what was asked, once and for all."""

    problem_id: str
    name: str
    formal_statement: str | None = None
    """Lean 4 statement without proof, ending before `:=`."""
    declaration: str | None = None
    """Name of the declaration to prove, as written in the statement."""
    informal_statement: str | None = None
    header: str = ""
    split: str = ""
    source: InputSource = InputSource()
    hints: tuple[str, ...] = ()
    sketch: str = ""
    """What follows `:=`, with `sorry` for what is missing."""
    parent: Parent | None = None
    """Of a child problem; none for one that was posted."""
    input_digest: str
    """SHA-256 of the input as posted."""


class RefusalReason(StrEnum):
    """Why an input is not a problem that this configuration can attempt."""

    BAD_JSON = "bad_json"
    NOT_UTF8 = "not_utf8"
    SCHEMA = "schema"
    DUPLICATE = "duplicate"
    NO_STATEMENT = "no_statement"
    ANSWER_HOLE = "answer_hole"
    """The statement rests on a definition that is left open: the answer is not given."""
    UNKNOWN_RUN = "unknown_run"
    NEEDS_LLM = "needs_llm"
    NEEDS_MATHLIB = "needs_mathlib"
    STATEMENT_ERROR = "statement_error"


class SubmitReply(Model):
    """The answer to whoever posted an input."""

    status: Literal["accepted", "refused"]
    run_id: str
    problem_id: str
    duplicate: bool = False
    """The very same input was answered before; this is the same answer."""
    reason: RefusalReason | None = None
    message: str = ""
    pointer: str = ""
    """JSON pointer (RFC 6901) of what is wrong."""
