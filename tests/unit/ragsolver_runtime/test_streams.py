import pytest
from nats.js import api

from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import VerdictIssued
from ragsolver_runtime.streams import (
    EVENTS,
    RECORDED,
    RESTART_ALLOWANCE,
    StreamSettings,
    advisory_consumer,
    consumers_of,
    input_consumer,
    newcomers_durable,
    role_of,
    stream_table,
    worker_consumer,
)
from ragsolver_runtime.testing import scripted_worker


async def nothing(context, case, trigger):
    return []


def test_nothing_recorded_is_dropped_when_a_stream_is_full():
    table = {stream.name: stream for stream in stream_table(StreamSettings(replicas=3))}
    for name in (EVENTS, "RS_INPUT", "OBJ_RS_BLOBS"):
        assert table[name].discard is api.DiscardPolicy.NEW
        assert table[name].max_age == 0
    assert {stream.num_replicas for stream in table.values()} == {3}
    assert {stream.storage for stream in table.values()} == {api.StorageType.FILE}
    assert table[EVENTS].allow_direct
    assert table["RS_INPUT"].no_ack


def test_a_recorded_answer_can_be_made_again_so_it_may_grow_old():
    (recorded,) = [s for s in stream_table(StreamSettings()) if s.name == RECORDED]
    assert recorded.max_msgs_per_subject == 1
    assert recorded.max_age == StreamSettings().recorded_max_age_s
    assert recorded.allow_direct


def test_a_roles_durable_has_its_triggers_and_limits():
    spec = scripted_worker(
        nothing,
        role="critic",
        triggers=(VerdictIssued, ProblemSubmitted),
        ack_wait_s=7,
        max_deliver=3,
    )
    consumer = worker_consumer(spec)
    assert consumer.durable_name == "critic"
    assert consumer.filter_subjects == [
        "rs.v1.verdict_issued.>",
        "rs.v1.problem_submitted.>",
    ]
    assert (consumer.ack_wait, consumer.max_deliver) == (7, 3 + RESTART_ALLOWANCE)
    assert consumer.ack_policy is api.AckPolicy.EXPLICIT


def test_new_problems_have_a_durable_of_their_own_where_a_role_opens_them():
    plain = scripted_worker(nothing, role="critic", triggers=(VerdictIssued,))
    assert [durable.name for durable in consumers_of(plain)] == ["critic"]
    opening = scripted_worker(
        nothing,
        role="verifier",
        triggers=(ProblemSubmitted, VerdictIssued),
        opens=lambda event: True,
        ack_wait_s=7,
    )
    shared, newcomers = consumers_of(opening)
    assert shared == worker_consumer(opening)
    assert newcomers.durable_name == newcomers_durable("verifier") == newcomers.name
    assert newcomers.filter_subjects == ["rs.v1.problem_submitted.>"]
    assert newcomers.ack_wait == 7
    assert {role_of(str(durable.name)) for durable in (shared, newcomers)} == {"verifier"}


@pytest.mark.parametrize("consumer", [input_consumer(), advisory_consumer()])
def test_inputs_and_advisories_are_delivered_until_settled(consumer):
    assert consumer.max_deliver == -1
    assert consumer.ack_policy is api.AckPolicy.EXPLICIT
