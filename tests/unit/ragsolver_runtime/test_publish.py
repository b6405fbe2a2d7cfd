from datetime import timedelta

import pytest
from nats.errors import MaxPayloadError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import NoStreamResponseError

from ragsolver_contracts.events import subject_of
from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_contracts.subjects import cancel_notice
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.errors import (
    BusLostError,
    PublishError,
    StorageFullError,
    SubjectConflictError,
)
from ragsolver_runtime.publish import (
    Duplicate,
    Publisher,
    PublishSettings,
    Stored,
    WrongSequence,
)
from ragsolver_runtime.wire import CLOSES_HEADER
from suites.fake_bus import FakeClient, api_error

SUBMITTED = event(ProblemSubmitted(problem=problem()))


def publisher(client, **changes):
    return Publisher(client, PublishSettings(**{"pause_s": 0.0, "budget_s": 0.5, **changes}))


async def test_an_event_is_stored_under_its_id_on_an_empty_subject():
    client = FakeClient()
    assert await publisher(client).publish(SUBMITTED) == Stored(1)
    (message,) = client.js.messages
    assert message.subject == subject_of(SUBMITTED)
    assert message.headers["Nats-Msg-Id"] == SUBMITTED.id
    assert message.headers["Nats-Expected-Last-Subject-Sequence"] == "0"
    assert CLOSES_HEADER not in message.headers


async def test_the_last_event_of_a_delivery_is_marked():
    client = FakeClient()
    await publisher(client).publish(SUBMITTED, closes=True)
    assert client.js.messages[0].headers[CLOSES_HEADER] == "1"


async def test_a_second_decision_is_a_duplicate():
    client = FakeClient()
    await publisher(client).publish(SUBMITTED)
    later = SUBMITTED.model_copy(update={"time": SUBMITTED.time + timedelta(seconds=1)})
    assert await publisher(client).publish(later) == Duplicate(1)


async def test_a_replica_that_is_behind_makes_no_conflict_of_a_second_decision():
    client = FakeClient()
    await publisher(client).publish(SUBMITTED)
    later = SUBMITTED.model_copy(update={"time": SUBMITTED.time + timedelta(seconds=1)})
    client.behind = [1, 1, 0]
    assert await publisher(client).publish(later) == Duplicate(1)


async def test_an_unanswered_reservation_is_known_again_through_a_replica_that_is_behind():
    client = FakeClient()
    first = event(LlmReserved(call=1, agent="a", purpose="p"))
    guard = ("rs.v1.llm_reserved.r1.add_zero_nat.*", 0)
    client.js.faults = [(NatsTimeoutError(), True)]
    client.behind = [1, 1, 0]
    assert await publisher(client).publish_guarded(first, guard) == Stored(1)


@pytest.mark.parametrize("fault", [NatsTimeoutError(), NoStreamResponseError(), OSError("reset")])
async def test_an_unanswered_publish_is_tried_again(fault):
    client = FakeClient()
    client.js.faults = [(fault, False), (fault, False)]
    assert await publisher(client).publish(SUBMITTED) == Stored(1)
    assert client.js.publishes == 3


async def test_an_answer_lost_after_storing_is_found_to_be_our_own():
    client = FakeClient()
    client.js.faults = [(NatsTimeoutError(), True)]
    assert await publisher(client).publish(SUBMITTED) == Stored(1)
    assert len(client.js.messages) == 1


async def test_an_answer_lost_while_another_stored_first_is_a_duplicate():
    client = FakeClient()
    await publisher(client).publish(SUBMITTED)
    client.js.faults = [(NatsTimeoutError(), False)]
    ours = SUBMITTED.model_copy(update={"source": "test/two"})
    assert await publisher(client).publish(ours) == Duplicate(1)


async def test_what_is_never_stored_is_an_error_that_says_what_to_check():
    client = FakeClient()
    client.js.faults = [(NatsTimeoutError(), False)] * 1000
    with pytest.raises(PublishError, match="NATS server"):
        await publisher(client, budget_s=0.02, pause_s=0.01).publish(SUBMITTED)


@pytest.mark.parametrize(
    "fault",
    [
        api_error(10077, "maximum bytes exceeded"),
        api_error(10047, "insufficient storage resources available"),
        api_error(10077, "write msg: no space left on device"),
    ],
)
async def test_a_full_store_is_said_at_once(fault):
    client = FakeClient()
    client.js.faults = [(fault, False)]
    with pytest.raises(StorageFullError, match="free disk space"):
        await publisher(client).publish(SUBMITTED)
    assert client.js.publishes == 1


async def test_a_message_above_the_servers_limit_is_said_at_once():
    client = FakeClient()
    client.js.faults = [(MaxPayloadError(), False)]
    with pytest.raises(PublishError, match="max_payload"):
        await publisher(client).publish(SUBMITTED)


async def test_a_closed_connection_is_lost():
    client = FakeClient()
    client.is_closed = True
    client.js.faults = [(NatsTimeoutError(), False)]
    with pytest.raises(BusLostError):
        await publisher(client).publish(SUBMITTED)


@pytest.mark.parametrize("content", [b"junk", event(ProblemCancelled(requested_by="x")).to_json()])
async def test_another_message_on_the_subject_is_a_conflict(content):
    client = FakeClient()
    await client.js.publish(subject_of(SUBMITTED), content)
    with pytest.raises(SubjectConflictError):
        await publisher(client).publish(SUBMITTED)


async def test_an_event_that_nobody_could_read_is_not_stored():
    client = FakeClient()
    wrong = SUBMITTED.model_copy(update={"id": "0" * 32})
    with pytest.raises(InvalidEventError, match="/id"):
        await publisher(client).publish(wrong)
    assert client.js.messages == []


async def test_the_end_of_a_problem_gives_a_notice_and_other_events_do_not():
    client = FakeClient()
    await publisher(client).publish(SUBMITTED)
    assert client.published == []
    await publisher(client).publish(event(ProblemCancelled(requested_by="x")))
    assert client.published == [(cancel_notice("r1", "add_zero_nat"), b"problem_cancelled")]


async def test_a_guarded_event_is_stored_only_on_the_expected_sequence():
    client = FakeClient()
    first, second = (event(LlmReserved(call=n, agent="a", purpose="p")) for n in (1, 2))
    guard = "rs.v1.llm_reserved.r1.add_zero_nat.*"
    assert await publisher(client).publish_guarded(first, (guard, 0)) == Stored(1)
    assert await publisher(client).publish_guarded(second, (guard, 0)) == WrongSequence(1)
    assert await publisher(client).publish_guarded(second, (guard, 1)) == Stored(2)


async def test_recorded_answers_are_kept_under_the_subjects_that_they_are_given():
    client = FakeClient()
    entries = [(f"rs.recorded.x.p.verdict.{n:02}", SUBMITTED) for n in range(300)]
    assert await publisher(client).keep_answers(iter(entries)) == 300
    assert {m.subject for m in client.js.messages} == {subject for subject, _ in entries}
    assert all(m.headers == {} for m in client.js.messages)


async def test_a_recorded_answer_is_tried_again_and_a_full_store_is_said():
    client = FakeClient()
    client.js.faults = [(NatsTimeoutError(), False)]
    assert await publisher(client).keep_answers([("rs.recorded.x", SUBMITTED)]) == 1
    client.js.faults = [(NatsTimeoutError(), False)] * 1000
    with pytest.raises(ExceptionGroup) as caught:
        await publisher(client, budget_s=0.0).keep_answers([("rs.recorded.x", SUBMITTED)])
    assert "was not stored" in str(caught.value.exceptions[0])
