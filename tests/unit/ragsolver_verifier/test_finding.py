from collections import Counter

import pytest

from ragsolver_verifier.finding import Finding, Result, summarize
from suites.scripted_lean import verdict_on, wrong


def finding(result, verdict=None):
    return Finding(file="a", result=result, verdict=verdict)


ACCEPTED = finding(Result.ACCEPTED, verdict_on())
REJECTED = finding(Result.REJECTED, verdict_on(wrong))


def summary(*found):
    return summarize(found, Counter(example=2), sessions=2, elapsed_s=9.0, working_s=4.0)


@pytest.mark.parametrize(
    ("found", "code"),
    [
        ([ACCEPTED], 0),
        ([ACCEPTED, finding(Result.SKIPPED)], 0),
        ([ACCEPTED, REJECTED], 1),
        ([ACCEPTED, finding(Result.UNCHECKED)], 1),
        ([ACCEPTED, finding(Result.INCONCLUSIVE)], 1),
        ([ACCEPTED, REJECTED, finding(Result.UNREAD)], 2),
        ([finding(Result.SKIPPED)], 2),
        ([], 2),
        ([ACCEPTED, finding(Result.UNREAD), finding(Result.FAILED)], 3),
    ],
)
def test_the_worst_counts(found, code):
    assert summary(*found).exit_code == code


def test_numbers():
    said = summary(ACCEPTED, ACCEPTED, REJECTED, finding(Result.UNCHECKED))
    assert (said.files, said.theorems, said.checks_per_s) == (1, 3, 0.75)
    assert said.results == {"accepted": 2, "rejected": 1, "unchecked": 1}
    assert said.rejected_by_reason == {"elaboration_error": 1}
    assert said.not_judged == {"example": 2}
