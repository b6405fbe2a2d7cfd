import json

import pytest

from ragsolver_contracts.events import parse_event
from ragsolver_contracts.events_run import ProblemCancelled, WorkFailed
from ragsolver_contracts.testing import event
from ragsolver_runtime.dead_letter import is_one, is_own, letter

TRIGGER = event(ProblemCancelled(requested_by="x"), run_id="Run-1", problem_id="Ä problem")
SUBJECT = "rs.v1.problem_cancelled.run-token.problem-token.0123"


def made(body=b"junk", trigger=None, subject=SUBJECT, error=None):
    return letter(
        role="verifier",
        source="verifier/one",
        subject=subject,
        body=body,
        event=trigger,
        stage="decode",
        error=error or ValueError("why"),
        deliveries=3,
    )


def test_a_readable_trigger_is_named_and_is_the_cause():
    failed = made(trigger=TRIGGER)
    assert (failed.run_id, failed.problem_id) == ("Run-1", "Ä problem")
    assert failed.causationid == TRIGGER.id
    assert failed.data == WorkFailed(
        failed_role="verifier",
        trigger_id=TRIGGER.id,
        trigger_type=TRIGGER.type,
        stage="decode",
        error="ValueError",
        message="why",
        deliveries=3,
    )


def test_real_ids_are_taken_from_a_broken_event_that_has_them():
    body = json.dumps({"subject": "Run-1/Ä", "correlationid": "Run-1", "type": "t.v9"}).encode()
    failed = made(body)
    assert (failed.run_id, failed.problem_id) == ("Run-1", "Ä")
    assert failed.data.trigger_type == "t.v9"


@pytest.mark.parametrize(
    "body",
    [
        b"junk",
        b"\xff",
        b"[1]",
        b'{"subject": 7, "correlationid": "r"}',
        b"{}",
        b'{"subject": "other/x", "correlationid": "r"}',
        b'{"subject": "r/", "correlationid": "r"}',
    ],
)
def test_anything_else_is_named_by_its_subject(body):
    failed = made(body)
    assert (failed.run_id, failed.problem_id) == ("run-token", "problem-token")
    assert (failed.data.trigger_id, failed.data.trigger_type) == ("0123", "problem_cancelled")
    assert parse_event(failed.to_json()) == failed


def test_even_a_strange_subject_gives_a_letter():
    assert made(subject="x").run_id == "unknown"


def test_an_error_without_words_is_named_and_a_long_one_is_cut():
    assert made(error=TimeoutError()).data.message == "TimeoutError()"
    assert len(made(error=ValueError("x" * 10_000)).data.message) == 4_000


def test_only_work_failed_is_a_dead_letter():
    assert is_one(made().data)
    assert not is_one(TRIGGER.data)


def test_a_letter_about_a_role_is_its_own():
    assert is_own(made(), "verifier")
    assert not is_own(made(), "critic")
    assert not is_own(TRIGGER, "verifier")
