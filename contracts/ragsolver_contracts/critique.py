"""The critic's judgement of an attempt: fallible and advisory."""

from enum import StrEnum


class ErrorClass(StrEnum):
    """What went wrong in an attempt."""

    UNKNOWN_IDENTIFIER = "unknown_identifier"
    TYPE_MISMATCH = "type_mismatch"
    UNSOLVED_GOALS = "unsolved_goals"
    TACTIC_FAILED = "tactic_failed"
    SYNTAX_ERROR = "syntax_error"
    TIMEOUT = "timeout"
    STATEMENT_PROBLEM = "statement_problem"
    FORBIDDEN = "forbidden"
    INFRASTRUCTURE = "infrastructure"
    OTHER = "other"


class Route(StrEnum):
    """What happens next."""

    RETRY = "retry"
    RE_RETRIEVE = "re_retrieve"
    REPLAN = "replan"
    EXHAUSTED = "exhausted"
