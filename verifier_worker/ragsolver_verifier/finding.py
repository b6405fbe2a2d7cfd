"""What checking files found: one finding a theorem, and one for what could not be judged."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from ragsolver_contracts.base import Model
from ragsolver_contracts.verdict import Verdict

ACCEPTED, NOT_ACCEPTED, USAGE, FAILED = 0, 1, 2, 3
"""Exit codes of `ragsolver lean check`."""


class Result(StrEnum):
    """The first three are verdicts; the others say why there is none."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INCONCLUSIVE = "inconclusive"
    UNCHECKED = "unchecked"
    """The text's own fault: an error outside the theorems, or before this one."""
    SKIPPED = "skipped"
    """Nothing to judge: definitions and examples only."""
    UNREAD = "unread"
    """Not there, not text, not Lean."""
    FAILED = "failed"
    """Lean could not do it; says nothing of the theorem."""


class Finding(Model):
    """One line of the answer."""

    file: str
    """As asked for; `-` is standard input."""
    name: str = ""
    """The theorem as written; empty where the finding is about the file."""
    line: int | None = None
    """1-based line of the theorem or of what is wrong."""
    column: int | None = None
    """0-based column in code points."""
    result: Result
    detail: str = ""
    """One sentence."""
    verdict: Verdict | None = None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong here."""
        return self.result in {Result.ACCEPTED, Result.SKIPPED}


class Summary(Model):
    """All findings in numbers."""

    files: int
    theorems: int
    """Theorems with a verdict."""
    results: dict[Result, int]
    rejected_by_reason: dict[str, int]
    not_judged: dict[str, int]
    """Declarations of other kinds, by kind."""
    sessions: int
    """Lean processes that worked at a time."""
    elapsed_s: float
    """Wall-clock seconds, the start of Lean included."""
    checks_per_s: float
    """Theorems with a verdict by second, the start of Lean not included."""

    @property
    def exit_code(self) -> int:
        """0: all accepted; else the worst of the others, 2 also where nothing was judged."""
        if self.results.get(Result.FAILED):
            return FAILED
        if self.results.get(Result.UNREAD):
            return USAGE
        bad = (Result.REJECTED, Result.INCONCLUSIVE, Result.UNCHECKED)
        if any(self.results.get(result) for result in bad):
            return NOT_ACCEPTED
        return ACCEPTED if self.theorems else USAGE


def summarize(
    findings: Iterable[Finding],
    not_judged: Counter[str],
    *,
    sessions: int,
    elapsed_s: float,
    working_s: float,
) -> Summary:
    """The summary of one call.

    Args:
        findings: everything that was reported.
        not_judged: declarations of other kinds, by kind.
        sessions: Lean processes.
        elapsed_s: seconds since the start of the command.
        working_s: seconds since the first Lean process was there.
    """
    found = list(findings)
    verdicts = [item.verdict for item in found if item.verdict is not None]
    reasons = Counter(
        str(item.verdict.reason)
        for item in found
        if item.result is Result.REJECTED and item.verdict is not None
    )
    results = Counter(item.result for item in found)
    return Summary(
        files=len({item.file for item in found}),
        theorems=len(verdicts),
        results={result: results[result] for result in Result if results[result]},
        rejected_by_reason=dict(sorted(reasons.items())),
        not_judged=dict(sorted(not_judged.items())),
        sessions=sessions,
        elapsed_s=round(elapsed_s, 3),
        checks_per_s=round(len(verdicts) / working_s, 2) if working_s > 0 else 0.0,
    )
