"""Checking accepted proofs again: what the runtime asks for and what a Lean worker answers.

The entry point group `ragsolver.recheck` names one function with the signature of `Recheck`. It
starts a Lean process of its own, runs the whole trusted procedure again and ends that process.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Literal

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.case import Case

ENTRY_POINT_GROUP = "ragsolver.recheck"


@dataclass(frozen=True)
class RecheckItem:
    """One accepted proof, as the events have it."""

    problem_id: str
    header: str
    """The header that `statement_checked` found to work."""
    statement: str
    """The problem's own formal statement, ending before `:=`."""
    declaration: str
    preamble: str
    """The candidate's declarations before the statement."""
    proof: str
    """The candidate's text after `:=`."""
    negated: bool
    statement_digest: str
    """What the verdict says; the second check must compute the same."""
    source: str
    """The complete Lean text that the verdict says was checked."""
    limits: CheckLimits
    mathlib: bool
    toolchain: Literal["embedded", "native"] = "embedded"
    """Which toolchain accepted it; the same one is asked again."""


@dataclass(frozen=True)
class RecheckResult:
    """The second process's word on one proof."""

    problem_id: str
    accepted: bool
    detail: str = ""
    """Why it is not accepted, in one sentence."""
    failed: bool = False
    """The check itself could not be done; `accepted` is false and says nothing of the proof."""
    elapsed_ms: float = 0.0


Recheck = Callable[[Sequence[RecheckItem]], Iterable[RecheckResult]]


def recheck_item(case: Case) -> RecheckItem | None:
    """The accepted proof of a case; none where nothing was accepted.

    Raises:
        ValueError: a proof was accepted but the events that it rests on are missing.
    """
    accepted = case.accepted
    if accepted is None:
        return None
    candidate = case.candidates.get((accepted.attempt, accepted.candidate))
    problem, checked = case.stated, case.statement
    if candidate is None or problem is None or checked is None:
        raise ValueError(f"{case.problem_id}: accepted, but its candidate or statement is missing")
    if problem.formal_statement is None:
        raise ValueError(f"{case.problem_id}: accepted, but the problem has no formal statement")
    return RecheckItem(
        problem_id=case.problem_id,
        header=checked.header,
        statement=problem.formal_statement,
        declaration=problem.declaration or "",
        preamble=candidate.text.preamble,
        proof=candidate.text.proof,
        negated=candidate.negated,
        statement_digest=accepted.verdict.statement_digest,
        source=accepted.verdict.source,
        limits=candidate.limits,
        mathlib=checked.mathlib,
        toolchain=accepted.verdict.toolchain.kind,
    )


def installed_recheck() -> Recheck | None:
    """The function of the installed Lean worker; none where its extra is not installed."""
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        try:
            loaded: Recheck = entry.load()
        except ImportError:
            continue
        return loaded
    return None
