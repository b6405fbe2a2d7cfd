import json

import pytest

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.advisories import letter_of
from suites.fake_bus import FakeJetStream

SUBMITTED = event(ProblemSubmitted(problem=problem()))


def advisory(**changes):
    said = {"stream": "RS_EVENTS", "consumer": "verifier", "stream_seq": 1, "deliveries": 5}
    return json.dumps(said | changes).encode()


async def stored(content):
    js = FakeJetStream()
    await js.publish(subject_of(SUBMITTED), content)
    return js


async def test_the_exhausted_delivery_becomes_a_dead_letter_of_its_role():
    letter = await letter_of(await stored(SUBMITTED.to_json()), advisory(), "intake/one")
    assert (letter.data.failed_role, letter.data.trigger_id) == ("verifier", SUBMITTED.id)
    assert (letter.data.stage, letter.data.deliveries) == ("deliver", 5)
    assert letter.causationid == SUBMITTED.id
    assert (letter.run_id, letter.problem_id) == ("r1", "add_zero_nat")


async def test_an_unreadable_event_is_named_by_its_subject():
    letter = await letter_of(await stored(b"junk"), advisory(), "intake/one")
    assert letter.data.trigger_id == SUBMITTED.id
    assert (letter.run_id, letter.problem_id) == ("r1", "add_zero_nat")


@pytest.mark.parametrize(
    "said", [b"junk", b"{}", b"[]", advisory(stream="OTHER"), advisory(stream_seq=9)]
)
async def test_what_concerns_no_stored_event_gives_none(said):
    assert await letter_of(await stored(SUBMITTED.to_json()), said, "intake/one") is None
