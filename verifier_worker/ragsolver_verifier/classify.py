"""What went wrong in a candidate, in one word for the critic, read off what Lean says.

Lean's own names of its messages come first; the texts, those of Lean 4.28, tell apart what has no
name.
"""

import re
from collections.abc import Iterable
from typing import Final

from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.lean import Diagnostic
from ragsolver_contracts.verdict import VerdictReason

PARSER: Final = "parser"
"""Kind of what the parser says; the checker program gives it, Lean has no name for it."""

REASONS: Final = {
    VerdictReason.TIMEOUT: ErrorClass.TIMEOUT,
    VerdictReason.MEMORY_LIMIT: ErrorClass.TIMEOUT,
    VerdictReason.OUTPUT_LIMIT: ErrorClass.TIMEOUT,
    VerdictReason.STATEMENT_MISMATCH: ErrorClass.STATEMENT_PROBLEM,
    VerdictReason.FORBIDDEN_AXIOM: ErrorClass.FORBIDDEN,
    VerdictReason.FORBIDDEN_CONSTRUCT: ErrorClass.FORBIDDEN,
}
"""Verdicts whose reason says it all."""

KINDS: Final = {
    PARSER: ErrorClass.SYNTAX_ERROR,
    "lean.unknownIdentifier": ErrorClass.UNKNOWN_IDENTIFIER,
    "lean.invalidField": ErrorClass.UNKNOWN_IDENTIFIER,
    "lean.synthInstanceFailed": ErrorClass.TYPE_MISMATCH,
    "lean.invalidDottedIdent": ErrorClass.TYPE_MISMATCH,
    "runtime.maxHeartbeats": ErrorClass.TIMEOUT,
    "runtime.maxRecDepth": ErrorClass.TIMEOUT,
    "Tactic.unsolvedGoals": ErrorClass.UNSOLVED_GOALS,
}
"""Error class by Lean's own name of a message."""

TEXTS: Final = (
    (
        ErrorClass.UNKNOWN_IDENTIFIER,
        re.compile(r"^(?:[Uu]nknown (?:identifier|constant|namespace|option)|Invalid field) [`']"),
    ),
    (ErrorClass.TIMEOUT, re.compile(r"\(deterministic\) timeout|[Mm]aximum recursion depth")),
    (
        ErrorClass.TYPE_MISMATCH,
        re.compile(
            r"[Tt]ype mismatch|^failed to synthesize|^Function expected at|^Invalid `⟨...⟩`"
            r"|^[Ii]nvalid \{...\} notation|^Insufficient number of fields"
        ),
    ),
    (
        ErrorClass.TACTIC_FAILED,
        re.compile(
            r"[Tt]actic `[^`]*` failed|^`\w+` failed|could not prove the goal|made no progress"
            r"|^Tactic `decide` |^No goals to be solved|^Expected type must not contain"
            r"|[Dd]id not find|could not unify|^Invalid alternative name|^Alternative `"
        ),
    ),
    (ErrorClass.UNSOLVED_GOALS, re.compile(r"^unsolved goals")),
)
"""Error classes of messages without a name of their own, by text; the first that fits counts."""

ORDER: Final = (
    ErrorClass.SYNTAX_ERROR,
    ErrorClass.UNKNOWN_IDENTIFIER,
    ErrorClass.TIMEOUT,
    ErrorClass.TYPE_MISMATCH,
    ErrorClass.TACTIC_FAILED,
    ErrorClass.UNSOLVED_GOALS,
)
"""Of several classes in one candidate the first here is its class: what explains the others."""


def error_class(
    reason: VerdictReason | None, messages: Iterable[Diagnostic], *, goals: bool = False
) -> ErrorClass | None:
    """Why a candidate was not accepted; none when it was.

    Args:
        reason: the verdict's.
        messages: what Lean said.
        goals: whether it is known what is left to prove.
    """
    if reason is None:
        return None
    if reason in REASONS:
        return REASONS[reason]
    if reason is VerdictReason.CONTAINS_SORRY:
        return ErrorClass.UNSOLVED_GOALS
    found = {class_of(item) for item in messages if item.severity == "error"}
    for candidate in ORDER:
        if candidate in found:
            return candidate
    return ErrorClass.UNSOLVED_GOALS if goals and not found else ErrorClass.OTHER


def class_of(message: Diagnostic) -> ErrorClass:
    """The class of one error message."""
    if message.kind in KINDS:
        return KINDS[message.kind]
    for candidate, pattern in TEXTS:
        if pattern.search(message.text):
            return candidate
    return ErrorClass.OTHER
