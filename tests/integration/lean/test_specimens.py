"""Every trick that was thought of is rejected for its right reason; honest proofs are accepted."""

import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.statement import elaborate
from suites.lean_specimens import parametrized, specimens

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

HEARTBEATS = 20_000
KINDS = ("accepted", "rejected", "inconclusive", "failure")


def said_of(session, specimen):
    statement = elaborate(session, specimen.header, specimen.statement, timeout_s=60)
    assert statement.ok, statement.detail
    limits = CheckLimits(max_heartbeats=HEARTBEATS, timeout_s=specimen.seconds)
    try:
        verdict = check(session, Question(statement), Candidate(whole=specimen.text), limits)
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
    assert verdict.constants


def test_nothing_in_the_zoo_is_expected_to_pass():
    assert len(specimens("zoo")) >= 60
    assert len(specimens("garden")) >= 10
    assert all(s.expect.split()[0] in KINDS[1:] for s in specimens("zoo"))
