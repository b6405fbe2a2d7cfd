import json

import pytest

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.access.echoes import ECHO_HEADER
from ragsolver_runtime.blobs import BlobStore
from ragsolver_runtime.wire import decode, encode, in_place
from suites.fake_bus import FakeJetStream

SMALL = event(ProblemSubmitted(problem=problem()))
LARGE = event(ProblemSubmitted(problem=problem(informal_statement="ü" * 3000)))


async def test_a_small_event_is_written_whole():
    js = FakeJetStream()
    raw = await encode(SMALL, BlobStore(js), limit=2000)
    assert json.loads(raw)["data"]["problem"]["name"] == "add_zero_nat"
    assert js.blobs == []
    assert await decode(raw, BlobStore(js)) == SMALL


async def test_a_large_payload_is_moved_and_put_back():
    js = FakeJetStream()
    raw = await encode(LARGE, BlobStore(js), limit=2000)
    attributes = json.loads(raw)
    assert "data" not in attributes
    assert attributes["dataref"].startswith("sha256:")
    assert await decode(raw, BlobStore(js)) == LARGE


async def test_a_missing_payload_points_at_the_reference():
    raw = await encode(LARGE, BlobStore(FakeJetStream()), limit=2000)
    with pytest.raises(InvalidEventError) as caught:
        await decode(raw, BlobStore(FakeJetStream()))
    assert caught.value.problems[0][0] == "/dataref"


@pytest.mark.parametrize("raw", [b'{"dataref"', b'["dataref"]', b'{"dataref": 7}', b"{}", b"\xff"])
async def test_what_is_no_event_is_invalid(raw):
    with pytest.raises(InvalidEventError):
        await decode(raw, BlobStore(FakeJetStream()))


async def test_a_payload_that_only_mentions_the_word_is_read_as_it_is():
    talks = event(ProblemSubmitted(problem=problem(informal_statement='a "dataref" in words')))
    raw = await encode(talks, BlobStore(FakeJetStream()))
    assert await decode(raw, BlobStore(FakeJetStream())) == talks


def test_an_event_counts_on_its_own_subject_only():
    in_place(SMALL, {"Nats-Subject": subject_of(SMALL)})
    with pytest.raises(InvalidEventError, match="no event of subject"):
        in_place(SMALL, {"Nats-Subject": "rs.v1.proof_sketched.r1.p1.x"})
    with pytest.raises(InvalidEventError, match="answer to a read"):
        in_place(SMALL, {"Nats-Subject": subject_of(SMALL), ECHO_HEADER: "1"})
