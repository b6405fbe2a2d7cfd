"""What real Lean says of texts that fail, and what they are called."""

import pytest

from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.classify import class_of, error_class
from suites.lean_failures import FAILURES, recorded

ERROR = VerdictReason.ELABORATION_ERROR
RECORDED = recorded()


def said(text, kind="", severity="error"):
    start = Position(line=1, column=0)
    return Diagnostic(severity=severity, text=text, kind=kind, start=start)


@pytest.mark.parametrize("failure", FAILURES, ids=[item.name for item in FAILURES])
def test_what_lean_says_has_its_class(failure):
    told = RECORDED[failure.name]
    messages = [said(m["text"], m["kind"], m["severity"]) for m in told["messages"]]
    found = error_class(VerdictReason(told["reason"]), messages, goals=bool(told["goals"]))
    assert found is failure.expect


def test_every_failure_is_recorded_and_no_other():
    assert list(RECORDED) == [item.name for item in FAILURES]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unknown identifier `Nat.succ_lee`", ErrorClass.UNKNOWN_IDENTIFIER),
        ("unknown identifier 'Nat.Prime.two_le'", ErrorClass.UNKNOWN_IDENTIFIER),
        (
            "Application type mismatch: The argument\n  hj'\nhas type\n  j < 18\nbut is expected "
            "to have type\n  ↑j < 18\nin the application\n  key (↑j) hj'",
            ErrorClass.TYPE_MISMATCH,
        ),
        (
            "(deterministic) timeout at `whnf`, maximum number of heartbeats (20000) has been "
            "reached\n\nNote: Use `set_option maxHeartbeats <num>` to set the limit.",
            ErrorClass.TIMEOUT,
        ),
        ("something new", ErrorClass.OTHER),
    ],
)
def test_a_message_without_a_name_is_told_by_its_text(text, expected):
    assert class_of(said(text)) is expected


def test_leans_own_name_counts_before_the_text():
    assert class_of(said("omega could not prove the goal", "lean.unknownIdentifier")) is (
        ErrorClass.UNKNOWN_IDENTIFIER
    )


def test_what_explains_the_others_is_the_class():
    messages = [said("unsolved goals\n⊢ a"), said("`simp` made no progress")]
    assert error_class(ERROR, messages) is ErrorClass.TACTIC_FAILED
    messages.append(said("Unknown identifier `x`"))
    assert error_class(ERROR, messages) is ErrorClass.UNKNOWN_IDENTIFIER


def test_warnings_are_no_failure():
    assert error_class(ERROR, [said("unsolved goals", severity="warning")]) is ErrorClass.OTHER


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (None, None),
        (VerdictReason.TIMEOUT, ErrorClass.TIMEOUT),
        (VerdictReason.MEMORY_LIMIT, ErrorClass.TIMEOUT),
        (VerdictReason.OUTPUT_LIMIT, ErrorClass.TIMEOUT),
        (VerdictReason.STATEMENT_MISMATCH, ErrorClass.STATEMENT_PROBLEM),
        (VerdictReason.FORBIDDEN_AXIOM, ErrorClass.FORBIDDEN),
        (VerdictReason.FORBIDDEN_CONSTRUCT, ErrorClass.FORBIDDEN),
        (VerdictReason.CONTAINS_SORRY, ErrorClass.UNSOLVED_GOALS),
    ],
)
def test_a_reason_that_says_it_all(reason, expected):
    assert error_class(reason, [said("Type mismatch\n  h")]) is expected
