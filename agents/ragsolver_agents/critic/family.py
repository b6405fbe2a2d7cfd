"""What a sketch with holes turned out to be, once Lean has read it."""

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_work import CandidateProposed


def left_open(case: Case, attempt: int) -> bool:
    """Whether all that was tried is a sketch with holes, which was judged and not decomposed.

    No other candidate follows such a sketch, so its attempt is over though nothing closes it.
    """
    tried = case.attempt_candidates(attempt)
    return (
        attempt not in case.decompositions
        and all(_judged_skeleton(case, item) for item in tried)
        and bool(tried)
    )


def _judged_skeleton(case: Case, candidate: CandidateProposed) -> bool:
    return candidate.skeleton and case.judged((candidate.attempt, candidate.candidate))
