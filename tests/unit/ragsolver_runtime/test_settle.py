import pytest

from ragsolver_runtime.errors import BusLostError, PublishError
from ragsolver_runtime.settle import ConsumeSettings, Settling, redelivery_delay
from ragsolver_runtime.telemetry.watching import Handled
from suites.consumer_bench import TRIGGER, Delivery


class Shelf:
    """Keeps letters, or fails."""

    def __init__(self, error=None):
        self.letters, self.error = [], error

    async def publish(self, letter, *, closes=False):
        if self.error is not None:
            raise self.error
        self.letters.append((letter, closes))


def settling(shelf, lost=None):
    told = lost.append if lost is not None else None
    return Settling("echo", "echo/one", 3, shelf, lambda: told("lost"), ConsumeSettings())


def test_delays_double_up_to_a_bound():
    settings = ConsumeSettings(first_delay_s=1.0, longest_delay_s=60.0)
    assert [redelivery_delay(settings, n) for n in (1, 3, 7, 1000)] == [1, 4, 60, 60]


async def test_a_failure_comes_again_until_the_last_delivery():
    shelf, first, last = Shelf(), Delivery(number=1), Delivery(number=3)
    error = OSError("no")
    assert await settling(shelf).again(first, TRIGGER, "handle", error) is Handled.REDELIVERED
    assert first.settled == [("nak", 1.0)]
    assert await settling(shelf).again(last, TRIGGER, "handle", error) is Handled.DEAD_LETTERED
    assert last.settled == ["term"]
    ((letter, closes),) = shelf.letters
    assert (letter.data.trigger_id, letter.causationid, closes) == (TRIGGER.id, TRIGGER.id, True)


@pytest.mark.parametrize(
    ("error", "handled", "settled"),
    [
        (PublishError("full"), Handled.REDELIVERED, [("nak", 60.0)]),
        (BusLostError("gone"), Handled.LOST, []),
    ],
)
async def test_what_cannot_be_recorded_is_not_given_up(error, handled, settled):
    delivery, lost = Delivery(), []
    found = await settling(Shelf(error), lost).bury(delivery, TRIGGER, "handle", OSError("x"))
    assert (found, delivery.settled) == (handled, settled)
    assert lost == (["lost"] if handled is Handled.LOST else [])


async def test_a_stop_hands_back_at_once():
    delivery = Delivery()
    assert await settling(Shelf()).hand_back(delivery) is Handled.HANDED_BACK
    assert delivery.settled == [("nak", 0.1)]
