import pytest
from pydantic import ValidationError

from ragsolver_contracts.check import CheckCandidate, CheckedCandidate, CheckReply, CheckRequest
from ragsolver_contracts.lean import LeanToolchain
from ragsolver_contracts.verdict import Verdict

ACCEPTED = Verdict(
    status="accepted",
    statement_digest="d",
    toolchain=LeanToolchain(kind="embedded", lean_version="4.28.0"),
)


def request(**changes):
    values = {"statement": "theorem t : True", "candidates": [{"id": "a", "proof": "trivial"}]}
    return CheckRequest.model_validate({**values, **changes})


def test_a_request_is_read_as_given():
    read = request(header="open Nat\n")
    assert read.header == "open Nat\n"
    assert read.candidates[0].proof == "trivial"


@pytest.mark.parametrize(
    "changes",
    [
        {"candidates": []},
        {"candidates": [{"id": "a", "proof": "x"}, {"id": "a", "proof": "y"}]},
        {"statement": ""},
        {"surprise": 1},
        {"limits": {"timeout_s": 0}},
    ],
)
def test_a_bad_request_is_refused(changes):
    with pytest.raises(ValidationError):
        request(**changes)


@pytest.mark.parametrize(
    "values", [{}, {"proof": "x", "whole": "y"}, {"whole": "y", "preamble": "z"}]
)
def test_a_candidate_has_one_form(values):
    with pytest.raises(ValidationError):
        CheckCandidate(id="a", **values)


def test_a_failure_is_never_a_verdict():
    with pytest.raises(ValidationError, match="never a verdict"):
        CheckedCandidate(id="a", verdict=ACCEPTED, failure="died")


@pytest.mark.parametrize(
    "values",
    [
        {"status": "judged"},
        {"status": "failed", "results": [CheckedCandidate(id="a", verdict=ACCEPTED)]},
    ],
)
def test_results_exist_exactly_when_judged(values):
    with pytest.raises(ValidationError, match="exactly when judged"):
        CheckReply(**values)
