"""What went wrong, read off Lean's messages."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.verdict import Verdict, VerdictReason

MESSAGES: tuple[tuple[ErrorClass, re.Pattern[str]], ...] = (
    (
        ErrorClass.SYNTAX_ERROR,
        re.compile(r"unexpected (?:token|identifier|end of input)|expected token|^\S*expected "),
    ),
    (
        ErrorClass.UNKNOWN_IDENTIFIER,
        re.compile(r"[Uu]nknown (?:identifier|constant|namespace)|Invalid field `"),
    ),
    (ErrorClass.TIMEOUT, re.compile(r"\(deterministic\) timeout|maximum recursion depth")),
    (ErrorClass.TYPE_MISMATCH, re.compile(r"[Tt]ype mismatch|failed to synthesize")),
    (
        ErrorClass.TACTIC_FAILED,
        re.compile(
            r"[Tt]actic `[^`]*` failed|`\w+` failed|could not prove the goal|made no progress"
            r"|[Tt]actic `decide` proved|tactic '[^']*' failed|did not find|could not unify"
        ),
    ),
    (ErrorClass.UNSOLVED_GOALS, re.compile(r"unsolved goals")),
)
"""Error classes in the order in which one message, and one candidate, is judged.

The texts are those of Lean 4.28; the older wording `unknown identifier 'x'` is read as well.
"""

REASONS = {
    VerdictReason.TIMEOUT: ErrorClass.TIMEOUT,
    VerdictReason.MEMORY_LIMIT: ErrorClass.TIMEOUT,
    VerdictReason.STATEMENT_MISMATCH: ErrorClass.STATEMENT_PROBLEM,
    VerdictReason.FORBIDDEN_AXIOM: ErrorClass.FORBIDDEN,
    VerdictReason.FORBIDDEN_CONSTRUCT: ErrorClass.FORBIDDEN,
}
"""Verdicts whose reason says it all."""

_MISSING = re.compile(
    r"[Uu]nknown (?:identifier|constant) [`'‘](?P<name>[^`'’\s]+)[`'’]"
    r"|The environment does not contain `(?P<field>[^`\s]+)`"
)


def classify(verdict: Verdict) -> ErrorClass:
    """Why one candidate was not accepted."""
    if verdict.reason in REASONS:
        return REASONS[verdict.reason]
    texts = [item.text for item in verdict.diagnostics if item.severity == "error"]
    for error_class, pattern in MESSAGES:
        if any(pattern.search(text) for text in texts):
            return error_class
    if verdict.reason is VerdictReason.CONTAINS_SORRY:
        return ErrorClass.UNSOLVED_GOALS
    return ErrorClass.UNSOLVED_GOALS if verdict.goals else ErrorClass.OTHER


def missing_identifiers(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Library-like names that Lean did not know, in the order of the candidates, each once."""
    found: dict[str, None] = {}
    for verdict in verdicts:
        for item in verdict.diagnostics:
            for match in _MISSING.finditer(item.text):
                name = match["name"] or match["field"]
                if _library_like(name):
                    found.setdefault(name)
    return tuple(found)


def _library_like(name: str) -> bool:
    """Whether a name may be looked up in a library: not a short local variable's."""
    return "✝" not in name and ("." in name or "_" in name or len(name) > 3)


def classify_attempt(verdicts: Sequence[Verdict]) -> ErrorClass:
    """The class of an attempt: a missing identifier where there is one, else the commonest."""
    if not verdicts:
        return ErrorClass.INFRASTRUCTURE
    if missing_identifiers(verdicts):
        return ErrorClass.UNKNOWN_IDENTIFIER
    counts = Counter(map(classify, verdicts))
    order = list(ErrorClass)
    return max(counts, key=lambda item: (counts[item], -order.index(item)))
