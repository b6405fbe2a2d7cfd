import pytest

from ragsolver_agents.critic.diagnose import (
    agreed_class,
    agreed_identifiers,
    classify,
    classify_attempt,
    missing_identifiers,
)
from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.lean import UnknownIdentifier
from ragsolver_contracts.verdict import VerdictReason
from suites.deciding_world import accepted, rejected

UNKNOWN = "Unknown constant `Nat.foo_bar`"
FIELD = (
    "Invalid field `symm`: The environment does not contain `Function.symm`, so it is not "
    "possible to project the field `symm` from an expression\n  a\nof type `∀ (n m : ℕ), n = m`"
)
OMEGA = "omega could not prove the goal:\na possible counterexample may satisfy the constraints"


def test_the_verifiers_word_is_taken():
    verdict = rejected(OMEGA).model_copy(update={"error_class": ErrorClass.TYPE_MISMATCH})
    assert classify(verdict) is ErrorClass.TYPE_MISMATCH


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (VerdictReason.ELABORATION_ERROR, ErrorClass.OTHER),
        (VerdictReason.TIMEOUT, ErrorClass.TIMEOUT),
        (VerdictReason.MEMORY_LIMIT, ErrorClass.TIMEOUT),
        (VerdictReason.STATEMENT_MISMATCH, ErrorClass.STATEMENT_PROBLEM),
        (VerdictReason.FORBIDDEN_AXIOM, ErrorClass.FORBIDDEN),
        (VerdictReason.FORBIDDEN_CONSTRUCT, ErrorClass.FORBIDDEN),
        (VerdictReason.CONTAINS_SORRY, ErrorClass.UNSOLVED_GOALS),
    ],
)
def test_a_verdict_recorded_without_a_class_is_told_by_its_reason(reason, expected):
    old = rejected(UNKNOWN, reason=reason).model_copy(update={"error_class": None})
    assert classify(old) is expected


def test_missing_identifiers_in_order_each_once():
    verdicts = [rejected(UNKNOWN, FIELD), rejected("Unknown identifier `my_lemma`", UNKNOWN)]
    assert missing_identifiers(verdicts) == ("Nat.foo_bar", "Function.symm", "my_lemma")


def test_local_variables_are_not_looked_up():
    assert (
        missing_identifiers([rejected("Unknown identifier `b`", "Unknown identifier `h✝`")]) == ()
    )


@pytest.mark.parametrize("what", ["tactic", "namespace", "option"])
def test_what_no_library_declares_is_not_looked_up(what):
    unknown = (UnknownIdentifier(name="nlinarith", what=what),)
    verdict = rejected(OMEGA).model_copy(update={"unknown_identifiers": unknown})
    assert missing_identifiers([verdict]) == ()


def test_a_missing_identifier_outranks_the_commonest_class():
    verdicts = [rejected(OMEGA), rejected(OMEGA), rejected(UNKNOWN)]
    assert classify_attempt(verdicts) is ErrorClass.UNKNOWN_IDENTIFIER


def test_the_commonest_class_is_the_attempts():
    verdicts = [rejected(OMEGA), rejected("unsolved goals\n⊢ a"), rejected("unsolved goals\n⊢ b")]
    assert classify_attempt(verdicts) is ErrorClass.UNSOLVED_GOALS


def test_an_attempt_without_a_verdict_is_a_failure_of_infrastructure():
    assert classify_attempt([]) is ErrorClass.INFRASTRUCTURE


def test_an_accepted_verdict_names_no_error():
    assert classify(accepted()) is ErrorClass.OTHER


def test_a_models_class_counts_where_lean_said_it_of_a_candidate():
    verdicts = [
        rejected("unsolved goals\n⊢ a"),
        rejected("type mismatch\n  x"),
        *(rejected("unsolved goals\n⊢ b") for _ in range(2)),
    ]
    seen = classify(verdicts[1])
    assert agreed_class(verdicts, seen) is seen
    assert agreed_class(verdicts, ErrorClass.TIMEOUT) is ErrorClass.UNSOLVED_GOALS


def test_a_missing_name_is_leans_word():
    verdicts = [rejected("Unknown constant `Nat.foo`"), rejected("unsolved goals\n⊢ b")]
    assert agreed_class(verdicts, ErrorClass.UNSOLVED_GOALS) is ErrorClass.UNKNOWN_IDENTIFIER


def test_a_model_adds_only_names_that_lean_did_not_know():
    verdicts = [rejected("Unknown identifier `foo`"), rejected("Unknown constant `Nat.bar`")]
    assert missing_identifiers(verdicts) == ("Nat.bar",)
    assert agreed_identifiers(verdicts, ["Nat.add_comm", "foo", "Nat.bar"]) == ("Nat.bar", "foo")
