"""Every trick that was thought of is rejected for its right reason; honest proofs are accepted."""

from dataclasses import replace

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.statement import elaborate
from suites.lean_specimens import parametrized, specimens

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

HEARTBEATS = 20_000


def said_of(session, specimen):
    statement = elaborate(session, specimen.header, specimen.statement, timeout_s=60)
    assert statement.ok, statement.detail
    limits = CheckLimits(max_heartbeats=HEARTBEATS, timeout_s=specimen.seconds)
    try:
        verdict = check(session, Question(statement), specimen.candidate, limits)
    except LeanFailureError:
        return "failure", None
    said = f"{verdict.status} {verdict.reason}" if verdict.reason else str(verdict.status)
    return said, verdict


@parametrized("zoo")
def test_the_zoo_is_not_believed(session, specimen):
    said, _ = said_of(session, specimen)
    assert said in specimen.expect.split(" or ")


@parametrized("garden")
def test_the_garden_is_believed(session, specimen):
    said, verdict = said_of(session, specimen)
    assert said == "accepted", verdict and verdict.detail


def test_line_ends_and_byte_order_marks_are_no_reason(session):
    whole = next(s for s in specimens("garden") if s.name == "comments")
    for text in (
        whole.candidate.whole.replace("\n", "\r\n"),
        "\ufeff" + whole.candidate.whole,
    ):
        said, verdict = said_of(session, replace(whole, candidate=Candidate(whole=text)))
        assert said == "accepted", verdict and verdict.detail
