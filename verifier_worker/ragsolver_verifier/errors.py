"""What can go wrong with a Lean process, apart from what it says of a candidate."""

from ragsolver_contracts.verdict import VerdictReason


class LeanFailureError(Exception):
    """Lean could not do the work: says nothing of the candidate, and is never a verdict."""


class SessionDiedError(LeanFailureError):
    """The Lean process ended without an answer."""


class ProtocolError(LeanFailureError):
    """The Lean process answered something that is not the answer to this request."""


class SessionStoppedError(LeanFailureError):
    """The session was closed from outside while it worked."""


class IsolationError(LeanFailureError):
    """The isolation that is required cannot be had, or is not in force."""


class NoSessionError(LeanFailureError):
    """No Lean process is left, and none can be started."""


class LimitExceededError(Exception):
    """A check used more than it may; its process was killed.

    Attributes:
        reason: `timeout`, `memory_limit` or `output_limit`.
    """

    def __init__(self, reason: VerdictReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
