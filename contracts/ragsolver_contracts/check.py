"""Checks asked for by anyone on the bus: one request, one reply, no run and no event."""

from typing import Literal

from pydantic import Field, model_validator

from ragsolver_contracts.base import Model
from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict

MOST_CANDIDATES = 64


class CheckCandidate(Model):
    """One text to judge; untrusted."""

    id: str = Field(min_length=1, max_length=200)
    """The asker's own name for it; the reply repeats it."""
    proof: str = Field(default="", max_length=500_000)
    """What follows `:=`."""
    preamble: str = Field(default="", max_length=500_000)
    """Declarations before the statement."""
    whole: str | None = Field(default=None, max_length=500_000)
    """A complete text that states the theorem itself; replaces the other two."""

    @model_validator(mode="after")
    def _one_form(self) -> "CheckCandidate":
        if (self.whole is None) == (not self.proof):
            raise ValueError("a candidate has either a proof or a whole text")
        if self.whole is not None and self.preamble:
            raise ValueError("a whole text brings its own preamble")
        return self


class CheckRequest(Model):
    """A statement and candidates for it."""

    statement: str = Field(min_length=1, max_length=500_000)
    """`theorem name … : type`, ending before `:=`."""
    header: str = Field(default="", max_length=500_000)
    """Lean text before the statement, taken exactly as given."""
    negated: bool = False
    """Whether the negation of the statement is to be proved."""
    candidates: tuple[CheckCandidate, ...] = Field(min_length=1, max_length=MOST_CANDIDATES)
    stop_at_first: bool = False
    """Judge no further than the first accepted candidate."""
    limits: CheckLimits = CheckLimits()
    """For each candidate."""

    @model_validator(mode="after")
    def _distinct(self) -> "CheckRequest":
        ids = [candidate.id for candidate in self.candidates]
        if len(set(ids)) != len(ids):
            raise ValueError("candidates have ids of their own")
        return self


class CheckedCandidate(Model):
    """What became of one candidate: a verdict, a failure, or it was not looked at."""

    id: str
    verdict: Verdict | None = None
    failure: str = ""
    """Why Lean could give no verdict; says nothing of the candidate."""

    @model_validator(mode="after")
    def _one_outcome(self) -> "CheckedCandidate":
        if self.verdict is not None and self.failure:
            raise ValueError("a failure is never a verdict")
        return self


class CheckReply(Model):
    """The answer to a `CheckRequest`."""

    status: Literal["judged", "refused", "failed"]
    """`refused`: the request is not valid, or its statement does not elaborate; `failed`: no
    Lean process could do it, ask again."""
    detail: str = ""
    pointer: str = ""
    """JSON pointer of what is wrong in a refused request."""
    results: tuple[CheckedCandidate, ...] = ()
    """In the order of the request; shorter only with `stop_at_first`."""

    @model_validator(mode="after")
    def _results_when_judged(self) -> "CheckReply":
        if (self.status == "judged") != bool(self.results):
            raise ValueError("results exist exactly when judged")
        return self
