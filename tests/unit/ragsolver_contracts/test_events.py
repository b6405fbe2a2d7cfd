import json
from typing import get_args

import pytest

from ragsolver_contracts import events
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_contracts.testing import EPOCH, event, problem

EVENT = event(ProblemSubmitted(problem=problem()))


def test_the_union_has_exactly_the_listed_events() -> None:
    members = get_args(get_args(events.AnyEvent)[0])
    types = {get_args(member.model_fields["type"].annotation)[0] for member in members}
    assert types == {payload.event_type() for payload in events.PAYLOADS.values()}
    assert len(members) == 22


def test_round_trip() -> None:
    assert events.parse_event(EVENT.to_json()) == EVENT
    assert events.parse_event(json.loads(EVENT.to_json())) == EVENT


def test_id_says_what_not_who_when_or_why() -> None:
    payload = ProblemCancelled(requested_by="me")
    other = events.make_event(
        ProblemCancelled(requested_by="you"),
        run_id="r1",
        problem_id="add_zero_nat",
        source="other/two",
        time=EPOCH.replace(year=2030),
        cause=EVENT,
    )
    assert event(payload).id == other.id
    assert other.causationid == EVENT.id


def test_subject_ends_in_the_id() -> None:
    assert events.subject_of(EVENT).endswith("." + EVENT.id)


def test_envelope_class_is_the_member_of_the_union() -> None:
    for name, payload in events.PAYLOADS.items():
        assert events.envelope_class(name).model_fields["data"].annotation is payload


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"id": "0" * 32}, "/id"),
        ({"id": "xyz"}, "/id"),
        ({"correlationid": "r2", "id": None}, "/id"),
        ({"type": "ragsolver.unheard_of.v1"}, ""),
        ({"data": {}}, "/data/problem"),
        ({"unknown": 1}, "/unknown"),
        ({"source": "nobody"}, "/source"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, object], pointer: str) -> None:
    with pytest.raises(InvalidEventError) as caught:
        events.parse_event({**json.loads(EVENT.to_json()), **changes})
    assert pointer in {where for where, _ in caught.value.problems}


@pytest.mark.parametrize("raw", [b"{", b"\xff\xfe", "[]", "null", '"x"'])
def test_what_is_no_event_at_all_is_refused(raw: bytes | str) -> None:
    with pytest.raises(InvalidEventError):
        events.parse_event(raw)


def test_the_run_in_the_subject_is_the_correlation() -> None:
    wire = json.loads(EVENT.to_json())
    wire["correlationid"] = "r2"
    wire["id"] = events.event_id("r2", "add_zero_nat", "problem_submitted", ())
    with pytest.raises(InvalidEventError, match="/subject"):
        events.parse_event(wire)
