import json

import pytest
from pydantic import ValidationError

from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_run import ProblemCancelled
from ragsolver_contracts.testing import event

EVENT = event(ProblemCancelled(requested_by="me"), run_id="r7", problem_id="p", role="cli")


def test_parts_are_read_off_the_attributes() -> None:
    assert (EVENT.run_id, EVENT.problem_id, EVENT.role) == ("r7", "p", "cli")
    assert EVENT.name == "problem_cancelled"


def test_wire_form_has_the_attributes_of_cloudevents() -> None:
    wire = json.loads(EVENT.to_json())
    assert wire["specversion"] == "1.0"
    assert wire["subject"] == "r7/p"
    assert wire["correlationid"] == "r7"
    assert wire["type"] == "ragsolver.problem_cancelled.v1"
    assert all(name.isalnum() and name.islower() for name in wire)


def test_a_time_without_a_zone_is_refused() -> None:
    wire = {**json.loads(EVENT.to_json()), "time": "2026-01-01T00:00:00"}
    with pytest.raises(ValidationError, match="timezone"):
        type(EVENT).model_validate(wire)


def test_a_payload_must_say_what_it_decides() -> None:
    with pytest.raises(NotImplementedError):
        Payload().decides()
