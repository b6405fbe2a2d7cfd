"""What a problem has spent of its time with Lean."""

from ragsolver_contracts.case import Case


def spent_s(case: Case, *, before: int | None = None, negated: bool | None = None) -> float:
    """Seconds of Lean that the problem's checks took.

    Args:
        case: the fold.
        before: only attempts before this one.
        negated: only checks of the negation (or only the others); all when None.
    """
    total = 0.0
    for (attempt, _), issued in case.verdicts.items():
        counted = negated is None or issued.verdict.negated is negated
        if counted and (before is None or attempt < before):
            total += issued.verdict.elapsed_ms / 1_000
    return total


def left_s(case: Case, *, before: int | None = None) -> float | None:
    """Seconds of Lean that are left; none where there is no such budget."""
    budget = case.config.budget.lean_s
    return None if budget is None else budget - spent_s(case, before=before)


def affordable(case: Case, *, negated: bool) -> bool:
    """Whether an attempt may begin, at the statement or at its negation."""
    budget = case.config.budget.lean_s
    if budget is None:
        return True
    share = case.config.portfolio.negation_share
    within = spent_s(case) < budget
    return within and (not negated or spent_s(case, negated=True) < share * budget)
