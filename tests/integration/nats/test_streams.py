"""Provisioning and its drift check on the real server."""

from dataclasses import replace

import pytest

from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import ProblemPlanned
from ragsolver_runtime.errors import DriftError, ServerError
from ragsolver_runtime.streams import EVENTS, StreamSettings, provision
from ragsolver_runtime.testing import scripted_worker

pytestmark = pytest.mark.connected


async def nothing(context, case, trigger):
    return []


async def test_provisioning_twice_changes_nothing(bus):
    workers = [
        scripted_worker(nothing, role="one"),
        scripted_worker(nothing, role="two", triggers=(ProblemPlanned, ProblemSubmitted)),
    ]
    await provision(bus.js, workers=workers)
    before = await bus.js.consumer_info(EVENTS, "two")
    await provision(bus.js, workers=workers)
    after = await bus.js.consumer_info(EVENTS, "two")
    assert before.created == after.created
    assert sorted(after.config.filter_subjects) == [
        "rs.v1.problem_planned.>",
        "rs.v1.problem_submitted.>",
    ]


async def test_a_changed_stream_is_named_with_its_field_and_values(bus):
    info = await bus.js.stream_info(EVENTS)
    info.config.max_age = 3600
    await bus.js.update_stream(info.config)
    with pytest.raises(DriftError) as caught:
        await provision(bus.js)
    assert f"stream {EVENTS}: max_age is 3600000000000, declared 0" in str(caught.value)
    assert "nats stream edit" in str(caught.value)


async def test_a_changed_consumer_is_named_with_its_field_and_values(bus):
    await provision(bus.js, workers=[scripted_worker(nothing, role="one", ack_wait_s=30)])
    with pytest.raises(DriftError, match=rf"consumer {EVENTS}/one: ack_wait is 30.*declared 60"):
        await provision(bus.js, workers=[scripted_worker(nothing, role="one", ack_wait_s=60)])
    with pytest.raises(DriftError, match=rf"consumer {EVENTS}/one: filter_subjects"):
        await provision(
            bus.js, workers=[scripted_worker(nothing, role="one", triggers=(ProblemPlanned,))]
        )


async def test_a_stream_is_made_larger_where_that_is_asked_for_and_never_smaller(bus):
    declared = StreamSettings()
    larger = StreamSettings(events_max_bytes=declared.events_max_bytes + 1_000_000)
    with pytest.raises(DriftError, match=r"max_bytes(.|\n)*infra provision"):
        await provision(bus.js, larger)
    await provision(bus.js, larger, grow=True)
    await provision(bus.js, declared, grow=True)  # what is larger than declared loses nothing
    info = await bus.js.stream_info(EVENTS)
    assert info.config.max_bytes == larger.events_max_bytes


async def test_a_stream_that_differs_otherwise_is_not_touched_to_make_it_larger(bus):
    info = await bus.js.stream_info(EVENTS)
    await bus.js.update_stream(replace(info.config, max_age=3600.0))
    larger = StreamSettings(events_max_bytes=info.config.max_bytes + 1_000_000)
    with pytest.raises(DriftError, match="max_age"):
        await provision(bus.js, larger, grow=True)
    assert (await bus.js.stream_info(EVENTS)).config.max_bytes == info.config.max_bytes


async def test_streams_that_do_not_fit_the_store_say_so(bus):
    await bus.js.delete_stream(EVENTS)
    with pytest.raises(ServerError, match="free disk space"):
        await provision(bus.js, StreamSettings(events_max_bytes=10**15))


async def test_the_input_is_kept_without_an_answer_of_the_stream(bus):
    info = await bus.js.stream_info("RS_INPUT")
    assert info.config.no_ack
    assert info.config.discard == "new"
