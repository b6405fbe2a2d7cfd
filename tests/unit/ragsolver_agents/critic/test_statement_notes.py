"""A report says who wrote its statement, who judged it, and what looks vacuous."""

import pytest

from ragsolver_agents.critic.statement_notes import (
    MACHINE_WRITTEN,
    NOT_JUDGED,
    VACUOUS,
    machine_written,
    statement_notes,
)
from ragsolver_contracts.candidate import CandidateText
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_statement import StatementJudged, StatementProposed
from ragsolver_contracts.events_work import CandidateProposed, VerdictIssued
from ragsolver_contracts.testing import event
from suites.deciding_world import accepted, checked, view

WRITTEN = StatementProposed(statement=1, formal_statement="theorem t : x")
CHECKED = checked(view("n < 7", ("n", "Nat"), ("h", "n < 3"))).model_copy(update={"statement": 1})
PLAIN = checked(view("n < 7", ("n", "Nat"))).model_copy(update={"statement": 1})


def judged(reason="It says the same.") -> StatementJudged:
    return StatementJudged(statement=1, faithful=True, reason=reason)


def proved(proof: str, *payloads) -> tuple[str, ...]:
    candidate = CandidateProposed(
        attempt=1,
        candidate=0,
        batch=0,
        closes_batch=True,
        closes_attempt=True,
        text=CandidateText(proof=proof),
        strategy="llm/1",
    )
    issued = VerdictIssued(attempt=1, candidate=0, verdict=accepted())
    events = [event(item) for item in (*payloads, candidate, issued)]
    case = Case.fold("r1", "add_zero_nat", events)
    return statement_notes(case, case.accepted)


def test_a_posted_statement_needs_no_note():
    posted = checked(view("n < 7", ("h", "n < 3")))
    assert proved("by contradiction", posted) == ()


def test_a_machine_written_one_is_said_to_be_one_with_its_judgement():
    notes = proved("by omega", WRITTEN, CHECKED, judged())
    assert notes[0] == MACHINE_WRITTEN
    assert notes[1].endswith("an opinion: It says the same.")
    assert len(notes) == 2


def test_what_nobody_judged_is_said():
    assert proved("by omega", WRITTEN, CHECKED, judged(NOT_JUDGED))[1] == NOT_JUDGED


@pytest.mark.parametrize(
    "proof", ["by exfalso; omega", "by\n  intro x\n  contradiction", "absurd h h'"]
)
def test_a_proof_that_gives_the_target_up_is_pointed_at(proof):
    assert VACUOUS in proved(proof, WRITTEN, CHECKED, judged())


def test_a_contradiction_in_one_case_is_not():
    text = "by\n  cases n\n  · omega\n  · exfalso; omega"
    assert VACUOUS not in proved(text, WRITTEN, CHECKED, judged())


def test_without_hypotheses_nothing_can_contradict():
    assert VACUOUS not in proved("by exfalso; omega", WRITTEN, PLAIN, judged())


def test_a_statement_that_was_given_up_was_machine_written_too():
    assert machine_written(Case.fold("r1", "add_zero_nat", [event(WRITTEN)]))
