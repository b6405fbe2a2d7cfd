import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import api

from ragsolver_runtime.testing import until
from ragsolver_runtime.valve import Room, Valve, ValveSettings, backlog, take_newcomers

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def durable(name, waiting, quiet_s=0.0, now=NOW):
    last = None if quiet_s is None else now - timedelta(seconds=quiet_s)
    return api.ConsumerInfo(
        name=name,
        stream_name="S",
        config=api.ConsumerConfig(),
        created=now,
        delivered=api.SequenceInfo(consumer_seq=1, stream_seq=1, last_active=last),
        num_pending=waiting,
    )


@pytest.mark.parametrize(
    ("durables", "expected"),
    [
        ([], (0, "")),
        ([durable("critic", 5), durable("planner", 9)], (9, "planner")),
        ([durable("critic", 5), durable("verifier-new", 9000)], (5, "critic")),
        ([durable("critic", 5), durable("verifier", 9000)], (5, "critic")),
        ([durable("critic", 5), durable("old", 9000, quiet_s=901.0)], (5, "critic")),
        ([durable("critic", 5), durable("old", 9000, quiet_s=None)], (5, "critic")),
    ],
    ids=[
        "none",
        "the longest",
        "what is held back",
        "its own",
        "nobody works on it",
        "never worked on",
    ],
)
def test_the_longest_backlog_that_somebody_works_on_counts(durables, expected):
    assert backlog(durables, "verifier", NOW, 900.0) == expected


class Infos:
    """Tells the counts that it is given, then the last for ever."""

    def __init__(self, *waiting):
        self.waiting = list(waiting)
        self.looks = 0

    async def consumers_info(self, stream):
        self.looks += 1
        now = datetime.now(UTC)
        found = self.waiting.pop(0) if len(self.waiting) > 1 else self.waiting[0]
        if isinstance(found, Exception):
            raise found
        return [durable("generator", found, now=now)]


SETTINGS = ValveSettings(most=10, fewest=4, look_s=0.0, fresh_s=0.0)


@pytest.mark.parametrize(
    ("waiting", "looks"),
    [((10,), 1), ((11, 10, 5, 4), 4), ((11, NoRespondersError()), 2), ((NatsTimeoutError(),), 1)],
    ids=["at the limit", "until few wait", "unknown while closed", "unknown"],
)
async def test_the_valve_closes_above_one_mark_and_opens_below_another(waiting, looks):
    infos = Infos(*waiting)
    await Valve(infos, "verifier", SETTINGS).opened()
    assert infos.looks == looks


async def test_the_lanes_of_a_process_look_once_for_all_of_them():
    infos = Infos(0)
    valve = Valve(infos, "verifier", replace(SETTINGS, fresh_s=60.0))
    await asyncio.gather(*(valve.opened() for _ in range(5)))
    assert infos.looks == 1


async def test_without_a_limit_nobody_is_asked():
    infos = Infos(9999)
    await Valve(infos, "verifier", ValveSettings(most=0)).opened()
    assert infos.looks == 0


async def test_room_is_what_the_lanes_leave():
    room = Room(2)
    await room.free()
    with room.taken(), room.taken():
        waiting = asyncio.create_task(room.free())
        await asyncio.sleep(0)
        assert not waiting.done()
    await waiting


class Queue:
    """A durable of new problems."""

    def __init__(self, *found):
        self.found = list(found)

    async def pull_subscribe_bind(self, durable, stream):
        assert (durable, stream) == ("verifier-new", "RS_EVENTS")
        return self

    async def consumers_info(self, stream):
        return []

    async def fetch(self, batch, timeout):  # noqa: ASYNC109 - the client's own name
        assert batch == 1
        await asyncio.sleep(0)
        found = self.found.pop(0) if self.found else NatsTimeoutError()
        if isinstance(found, Exception):
            raise found
        return [found]


class Message:
    """As far as a delivery looks at it."""

    class metadata:  # noqa: N801
        num_delivered = 1

        class sequence:  # noqa: N801
            stream = 7

    subject = "s"
    data = b"{}"


async def test_a_lane_takes_new_problems_while_there_is_room(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.valve._PAUSE_S", 0.0)
    monkeypatch.setattr("ragsolver_runtime.valve._SETTLE_S", 0.0)
    room, handled = Room(1), []
    queue = Queue(NatsTimeoutError(), OSError(), Message(), Message())

    async def handle(delivery):
        handled.append(delivery.sequence)

    lane = asyncio.create_task(
        take_newcomers(queue, "verifier", Valve(queue, "verifier", SETTINGS), room, handle, 1.0)
    )
    with room.taken():
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(queue.found) == 4
    await until(lambda: handled == [7, 7])
    lane.cancel()


async def test_a_lane_that_takes_up_what_waits_for_it_takes_no_new_problem(monkeypatch):
    monkeypatch.setattr("ragsolver_runtime.valve._SETTLE_S", 0.01)
    room, queue = Room(1), Queue(Message())

    async def handle(delivery):
        raise AssertionError("taken")

    lane = asyncio.create_task(
        take_newcomers(queue, "verifier", Valve(queue, "verifier", SETTINGS), room, handle, 1.0)
    )
    await asyncio.sleep(0)
    with room.taken():
        await asyncio.sleep(0.03)
        assert len(queue.found) == 1
        lane.cancel()
