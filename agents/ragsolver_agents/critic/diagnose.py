"""What went wrong in an attempt, from what the verifier says of its candidates."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.verdict import Verdict, VerdictReason

REASONS = {
    VerdictReason.TIMEOUT: ErrorClass.TIMEOUT,
    VerdictReason.MEMORY_LIMIT: ErrorClass.TIMEOUT,
    VerdictReason.OUTPUT_LIMIT: ErrorClass.TIMEOUT,
    VerdictReason.STATEMENT_MISMATCH: ErrorClass.STATEMENT_PROBLEM,
    VerdictReason.FORBIDDEN_AXIOM: ErrorClass.FORBIDDEN,
    VerdictReason.FORBIDDEN_CONSTRUCT: ErrorClass.FORBIDDEN,
    VerdictReason.CONTAINS_SORRY: ErrorClass.UNSOLVED_GOALS,
}
"""For verdicts recorded before the verifier classified them."""

_LOOKED_UP = frozenset({"declaration", "field"})


def classify(verdict: Verdict) -> ErrorClass:
    """Why one candidate was not accepted."""
    if verdict.error_class is not None:
        return verdict.error_class
    return REASONS.get(verdict.reason, ErrorClass.OTHER) if verdict.reason else ErrorClass.OTHER


def missing_identifiers(verdicts: Iterable[Verdict]) -> tuple[str, ...]:
    """Library-like names that Lean did not know, in the order of the candidates, each once."""
    names = (
        item.name
        for verdict in verdicts
        for item in verdict.unknown_identifiers
        if item.what in _LOOKED_UP and _library_like(item.name)
    )
    return tuple(dict.fromkeys(names))


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


def agreed_class(verdicts: Sequence[Verdict], said: ErrorClass) -> ErrorClass:
    """What a model says went wrong, where Lean said it of a candidate; else Lean's own word."""
    if missing_identifiers(verdicts):
        return ErrorClass.UNKNOWN_IDENTIFIER
    return said if said in set(map(classify, verdicts)) else classify_attempt(verdicts)


def agreed_identifiers(verdicts: Sequence[Verdict], said: Iterable[str]) -> tuple[str, ...]:
    """Names to look up: Lean's, and what a model adds of the others that Lean did not know."""
    unknown = {item.name for verdict in verdicts for item in verdict.unknown_identifiers}
    added = (name for name in said if name in unknown)
    return tuple(dict.fromkeys((*missing_identifiers(verdicts), *added)))
