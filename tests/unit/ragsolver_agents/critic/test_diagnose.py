"""Lean 4.28's real messages, and what they mean."""

import pytest

from ragsolver_agents.critic.diagnose import classify, classify_attempt, missing_identifiers
from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.verdict import VerdictReason
from suites.deciding_world import rejected

UNKNOWN = "Unknown constant `Nat.foo_bar`"
FIELD = (
    "Invalid field `symm`: The environment does not contain `Function.symm`, so it is not "
    "possible to project the field `symm` from an expression\n  a\nof type `∀ (n m : ℕ), n = m`"
)
OMEGA = (
    "omega could not prove the goal:\na possible counterexample may satisfy the constraints\n"
    "  a ≥ 0\nwhere\n a := ↑n"
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (UNKNOWN, ErrorClass.UNKNOWN_IDENTIFIER),
        ("Unknown identifier `Nat.succ_lee`", ErrorClass.UNKNOWN_IDENTIFIER),
        ("unknown identifier 'Nat.Prime.two_le'", ErrorClass.UNKNOWN_IDENTIFIER),
        (FIELD, ErrorClass.UNKNOWN_IDENTIFIER),
        (
            "Application type mismatch: The argument\n  hj'\nhas type\n  j < 18\nbut is expected "
            "to have type\n  ↑j < 18\nin the application\n  key (↑j) hj'",
            ErrorClass.TYPE_MISMATCH,
        ),
        ("Type mismatch\n  h\nhas type\n  a\nbut is expected", ErrorClass.TYPE_MISMATCH),
        ("unsolved goals\nn : ℕ\n⊢ n = 0", ErrorClass.UNSOLVED_GOALS),
        (OMEGA, ErrorClass.TACTIC_FAILED),
        ("`grind` failed\ncase grind.1\nn : ℕ\n⊢ False", ErrorClass.TACTIC_FAILED),
        ("`simp` made no progress", ErrorClass.TACTIC_FAILED),
        (
            "Tactic `decide` proved that the proposition\n  1 = 2\nis false",
            ErrorClass.TACTIC_FAILED,
        ),
        (
            "Tactic `rewrite` failed: Did not find an occurrence of the pattern\n  a",
            ErrorClass.TACTIC_FAILED,
        ),
        (
            "(deterministic) timeout at `whnf`, maximum number of heartbeats (20000) has been "
            "reached\n\nNote: Use `set_option maxHeartbeats <num>` to set the limit.",
            ErrorClass.TIMEOUT,
        ),
        ("unexpected token 'theorem'; expected term", ErrorClass.SYNTAX_ERROR),
        ("something new", ErrorClass.OTHER),
    ],
)
def test_one_message(message, expected):
    assert classify(rejected(message)) is expected


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (VerdictReason.TIMEOUT, ErrorClass.TIMEOUT),
        (VerdictReason.MEMORY_LIMIT, ErrorClass.TIMEOUT),
        (VerdictReason.STATEMENT_MISMATCH, ErrorClass.STATEMENT_PROBLEM),
        (VerdictReason.FORBIDDEN_AXIOM, ErrorClass.FORBIDDEN),
        (VerdictReason.FORBIDDEN_CONSTRUCT, ErrorClass.FORBIDDEN),
        (VerdictReason.CONTAINS_SORRY, ErrorClass.UNSOLVED_GOALS),
    ],
)
def test_a_reason_that_says_it_all(reason, expected):
    assert classify(rejected(reason=reason)) is expected


def test_missing_identifiers_in_order_each_once():
    verdicts = [rejected(UNKNOWN, FIELD), rejected("Unknown identifier `my_lemma`", UNKNOWN)]
    assert missing_identifiers(verdicts) == ("Nat.foo_bar", "Function.symm", "my_lemma")


def test_local_variables_are_not_looked_up():
    assert (
        missing_identifiers([rejected("Unknown identifier `b`", "Unknown identifier `h✝`")]) == ()
    )


def test_a_missing_identifier_outranks_the_commonest_class():
    verdicts = [rejected(OMEGA), rejected(OMEGA), rejected(UNKNOWN)]
    assert classify_attempt(verdicts) is ErrorClass.UNKNOWN_IDENTIFIER


def test_the_commonest_class_is_the_attempts():
    verdicts = [rejected(OMEGA), rejected("unsolved goals\n⊢ a"), rejected("unsolved goals\n⊢ b")]
    assert classify_attempt(verdicts) is ErrorClass.UNSOLVED_GOALS


def test_an_attempt_without_a_verdict_is_a_failure_of_infrastructure():
    assert classify_attempt([]) is ErrorClass.INFRASTRUCTURE
