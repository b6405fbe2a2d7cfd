import asyncio
import logging

import pytest

from ragsolver_contracts.events_run import (
    ProblemCancelled,
    WorkFailed,
)
from ragsolver_contracts.invalid import InvalidEventError
from ragsolver_contracts.testing import event
from ragsolver_runtime.errors import (
    BusLostError,
    PermanentError,
    PublishError,
)
from ragsolver_runtime.logs import _scope
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.wire import CLOSES_HEADER
from suites.consumer_bench import CALL, STARTED, TRIGGER, Bench, Delivery, failing, one_call


async def test_what_was_decided_is_stored_before_the_ack():
    bench = Bench(one_call)
    assert await bench.handle(Delivery()) == ["ack"]
    (_, decided) = await bench.events()
    assert (decided.data, decided.causationid, decided.source) == (CALL, TRIGGER.id, "echo/one")
    assert CLOSES_HEADER in bench.client.js.messages[-1].headers


async def test_nothing_decided_is_an_ack():
    async def nothing(context, case, trigger):
        return []

    bench = Bench(nothing)
    assert await bench.handle(Delivery()) == ["ack"]
    assert await bench.events() == [TRIGGER]


async def test_an_unwanted_trigger_is_acknowledged_before_anything_is_read():
    bench = Bench(failing(AssertionError("worked")), wants=lambda trigger: False)
    bench.client.silent = 1000
    delivery = Delivery()
    await bench.consumer.handle(delivery)
    assert delivery.settled == ["ack"]


@pytest.mark.parametrize("newcomer", [False, True])
async def test_a_new_problem_is_worked_on_from_its_own_queue_only(newcomer):
    bench = Bench(one_call, opens=lambda trigger: True)
    for item in (STARTED, TRIGGER):
        await bench.publisher.publish(item)
    delivery = Delivery()
    await bench.consumer.handle(delivery, newcomer=newcomer)
    assert delivery.settled == ["ack"]
    assert len(await bench.events()) == (2 if newcomer else 1)


async def test_an_event_that_is_not_where_it_belongs_is_no_work():
    """A role may write anything on its own subjects, and the server lets it."""
    bench = Bench(failing(AssertionError("worked")))
    delivery = Delivery()
    delivery.subject = delivery.subject.replace("problem_submitted", "proof_sketched")
    assert await bench.handle(delivery) == ["term"]


async def test_an_event_that_the_record_does_not_believe_is_no_work(monkeypatch):
    """As one that the server repeated there: the reader refuses it."""
    bench = Bench(failing(AssertionError("worked")))

    def refuse(*_):
        raise InvalidEventError([("", "an echo")])

    monkeypatch.setattr("ragsolver_runtime.read.in_place", refuse)
    monkeypatch.setattr("ragsolver_runtime.read.EventReader.run_config", None)
    assert await bench.handle(Delivery()) == ["ack"]


async def test_a_problem_that_ended_is_acknowledged_without_work():
    bench = Bench(failing(AssertionError("worked")))
    await bench.publisher.publish(STARTED)
    await bench.publisher.publish(event(ProblemCancelled(requested_by="x")))
    assert await bench.handle(Delivery()) == ["ack"]


async def test_work_that_is_stored_is_not_done_again():
    bench = Bench(one_call)
    await bench.handle(Delivery())
    again = Bench(failing(AssertionError("worked")))
    again.client.js = bench.client.js
    again.consumer._reader = EventReader(bench.client)
    delivery = Delivery(number=2)
    await again.consumer.handle(delivery)
    assert delivery.settled == ["ack"]


@pytest.mark.parametrize(("number", "delay"), [(1, 1.0), (2, 2.0), (4, 8.0)])
async def test_an_error_naks_with_a_delay_that_grows(number, delay, caplog):
    bench = Bench(failing(OSError("no luck")))
    assert await bench.handle(Delivery(number=number)) == [("nak", delay)]
    assert "no luck" in caplog.text
    assert await bench.events() == [TRIGGER]


async def test_an_error_on_the_last_delivery_is_buried():
    bench = Bench(failing(OSError("no luck")), max_deliver=3)
    assert await bench.handle(Delivery(number=3)) == ["term"]
    failed = await bench.failure()
    assert (failed.stage, failed.error, failed.deliveries) == ("handle", "OSError", 3)
    assert failed.trigger_id == TRIGGER.id


async def test_a_permanent_error_is_buried_at_once():
    bench = Bench(failing(PermanentError("never")))
    assert await bench.handle(Delivery()) == ["term"]
    assert (await bench.failure()).message == "never"


async def test_an_undeclared_event_is_buried():
    async def undeclared(context, case, trigger):
        return [ProblemCancelled(requested_by="worker")]

    bench = Bench(undeclared)
    assert await bench.handle(Delivery()) == ["term"]
    assert "problem_cancelled" in (await bench.failure()).message


async def test_a_worker_may_report_a_part_that_failed():
    async def report(context, case, trigger):
        return [
            WorkFailed(
                failed_role="echo",
                trigger_id="x",
                trigger_type="t",
                error="E",
                message="m",
                stage="check",
                attempt=1,
                candidate=0,
            )
        ]

    bench = Bench(report)
    assert await bench.handle(Delivery()) == ["ack"]
    assert (await bench.failure()).candidate == 0


async def test_a_message_that_is_no_event_is_buried_with_the_pointer():
    bench = Bench(failing(AssertionError("worked")))
    body = TRIGGER.to_json().replace(b'"name"', b'"nome"')
    assert await bench.handle(Delivery(body=body)) == ["term"]
    failed = await bench.failure()
    assert failed.stage == "decode"
    assert "/data/problem/name" in failed.message


async def test_a_letter_about_a_letter_is_not_written(caplog):
    own = WorkFailed(failed_role="echo", trigger_id="x", trigger_type="t", error="E", message="m")
    trigger = event(own)
    bench = Bench(failing(PermanentError("again")))
    await bench.publisher.publish(trigger)
    assert await bench.handle(Delivery(trigger)) == ["term"]
    assert (await bench.failure()) == own
    assert "its own dead letter" in caplog.text


async def test_a_dead_letter_that_cannot_be_stored_keeps_the_delivery(monkeypatch):
    bench = Bench(failing(PermanentError("never")))
    for item in (STARTED, TRIGGER):
        await bench.publisher.publish(item)

    async def refuse(self, item, *, closes=False):
        raise PublishError("no")

    monkeypatch.setattr(Publisher, "publish", refuse)
    assert await bench.handle(Delivery()) == [("nak", 60.0)]


async def test_a_lost_bus_ends_the_process_and_settles_nothing():
    bench = Bench(failing(BusLostError("gone")))
    assert await bench.handle(Delivery()) == []
    assert bench.lost == [True]


async def test_work_beyond_its_bound_is_an_error():
    async def forever(context, case, trigger):
        await asyncio.Event().wait()

    bench = Bench(forever, max_work_s=0.01)
    assert await bench.handle(Delivery()) == [("nak", 1.0)]


async def test_stopping_hands_back_running_and_new_work():
    started, ended = asyncio.Event(), []

    async def forever(context, case, trigger):
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    bench = Bench(forever)
    delivery, late = Delivery(), Delivery()
    handling = asyncio.create_task(bench.handle(delivery))
    await started.wait()
    await bench.consumer.stop(0.01)
    await handling
    await bench.consumer.handle(late)
    assert delivery.settled == late.settled == [("nak", 0.1)]
    assert ended == [True]


async def test_stopping_lets_short_work_finish():
    started, go = asyncio.Event(), asyncio.Event()

    async def short(context, case, trigger):
        started.set()
        await go.wait()
        return [CALL]

    bench = Bench(short)
    delivery = Delivery()
    handling = asyncio.create_task(bench.handle(delivery))
    await started.wait()
    stopping = asyncio.create_task(bench.consumer.stop(5.0))
    await asyncio.sleep(0)
    go.set()
    await asyncio.gather(handling, stopping)
    assert delivery.settled == ["ack"]


async def test_a_cancel_notice_stops_work_that_does_not_stop_itself(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.consume._DECIDE_GRACE_S", 0.01)
    started = asyncio.Event()

    async def forever(context, case, trigger):
        started.set()
        await asyncio.Event().wait()

    bench = Bench(forever)
    async with bench.notices:
        delivery = Delivery()
        handling = asyncio.create_task(bench.handle(delivery))
        await started.wait()
        await bench.publisher.publish(event(ProblemCancelled(requested_by="x")))
        await handling
    assert delivery.settled == ["ack"]
    assert [e.name for e in await bench.events()] == ["problem_submitted", "problem_cancelled"]


async def test_records_of_the_work_carry_run_and_problem(caplog):
    seen = {}

    async def look(context, case, trigger):
        seen.update(_scope.get({}))
        logging.getLogger("x").info("inside")
        return []

    await Bench(look).handle(Delivery())
    assert seen == {
        "run": "r1",
        "problem": "add_zero_nat",
        "event": TRIGGER.id,
        "type": "problem_submitted",
        "delivery": "1",
    }
