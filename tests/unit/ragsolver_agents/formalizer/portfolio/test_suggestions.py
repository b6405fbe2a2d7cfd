import pytest

from ragsolver_agents.formalizer.portfolio.suggestions import LONGEST, answers, suggestions
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_contracts.testing import event
from suites.deciding_world import rejected

PARTIAL = (
    "found a partial proof, but the corresponding tactic failed:\n"
    "  (expose_names; refine Nat.dvd_of_mul_dvd_mul_right ?_ ?_)\n\n"
    "It may be possible to correct this proof by adding type annotations."
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Try this:\n  [apply] exact Nat.add_comm n m", ["exact Nat.add_comm n m"]),
        (
            "Try this:\n  [apply] refine Nat.foo ?_ ?_\n  -- Remaining subgoals:\n  -- ⊢ n ≤ k",
            ["refine Nat.foo ?_ ?_"],
        ),
        ("Try these:\n  [apply] simp\n  [apply] grind", ["simp", "grind"]),
        ("Try this:\n  [apply] exact\n      foo bar", ["exact foo bar"]),
        (PARTIAL, ["(expose_names; refine Nat.dvd_of_mul_dvd_mul_right ?_ ?_)"]),
        ("Try this:\n  [apply] exact sorry", []),
        ("Try this:\n  [apply] exact h✝", []),
        (f"Try this:\n  [apply] exact {'x' * LONGEST}", []),
        ("unsolved goals\n⊢ n = n", []),
        ("", []),
    ],
)
def test_what_a_message_proposes(text, found):
    assert list(suggestions(text)) == found


def case(*probes):
    """A case with one attempt per (probe, negated, message)."""
    events = []
    for number, (probe, negated, text) in enumerate(probes, 1):
        events.append(
            CandidateProposed(
                attempt=number,
                candidate=0,
                batch=0,
                closes_batch=True,
                closes_attempt=True,
                text=CandidateText(proof="by exact?"),
                strategy="library/exact",
                probe=probe,
                negated=negated,
            )
        )
        said = Diagnostic(severity="info", text=text, start=Position(line=1, column=0))
        verdict = rejected("no").model_copy(update={"diagnostics": (said,)})
        events.append(VerdictIssued(attempt=number, candidate=0, verdict=verdict))
    return Case.fold("r1", "add_zero_nat", [event(item) for item in events])


FIRST, SECOND = (f"Try this:\n  [apply] exact {name}" for name in "ab")


def test_answers_come_from_probes_at_the_statement():
    asked = case((True, False, FIRST), (False, False, SECOND), (True, True, SECOND))
    assert answers(asked) == ("exact a",)


def test_answers_come_once_and_from_earlier_attempts():
    asked = case((True, False, FIRST), (True, False, FIRST), (True, False, SECOND))
    assert answers(asked) == ("exact a", "exact b")
    assert answers(asked, before=3) == ("exact a",)
