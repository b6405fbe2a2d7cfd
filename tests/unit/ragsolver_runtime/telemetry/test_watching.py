import pytest

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.testing import event
from ragsolver_runtime.telemetry.watching import (
    Handled,
    Health,
    Numbers,
    Publication,
    Published,
    Spans,
    Telemetry,
)

EVENT = event(LlmReserved(call=1, agent="critic", purpose="critique"))


class Heard(Numbers):
    def __init__(self):
        self.publications = []

    def published(self, publication):
        self.publications.append((publication.event, publication.outcome, publication.tries))


def test_whoever_watches_nothing_is_told_and_nothing_changes():
    told = Telemetry()
    told.numbers.begun()
    told.numbers.handled("problem_submitted", Handled.ENDED, 1.0)
    told.numbers.folded(3)
    told.numbers.lag("critic", 1, 2)
    told.numbers.alarm("error")
    told.numbers.restarts("critic", 1)
    with (
        told.spans.taking({}),
        told.spans.processing("critic", EVENT, 1) as settled,
        told.spans.deciding("critic", EVENT),
        told.publishing(EVENT) as going,
    ):
        going.outcome = Published.STORED
        settled(Handled.ACKNOWLEDGED)
    assert going.event is EVENT


def test_what_came_of_an_event_is_told_after_it():
    heard = Heard()
    with Telemetry(heard).publishing(EVENT) as going:
        going.tries = 2
        going.outcome = Published.DUPLICATE
        assert heard.publications == []
    assert heard.publications == [(EVENT, Published.DUPLICATE, 2)]


def test_an_error_is_a_failure_that_is_told():
    heard = Heard()
    with pytest.raises(OSError, match="disk"), Telemetry(heard).publishing(EVENT):
        raise OSError("disk")
    assert heard.publications == [(EVENT, Published.FAILED, 0)]


def test_the_trace_of_an_event_is_set_before_it_is_published():
    class Traced(Spans):
        def publishing(self, publication: Publication):
            publication.event = EVENT.model_copy(update={"traceparent": "00-a-b-01"})
            return super().publishing(publication)

    with Telemetry(spans=Traced()).publishing(EVENT) as going:
        assert going.event.traceparent == "00-a-b-01"


@pytest.mark.parametrize(
    ("health", "wrong"),
    [
        (Health(), "not taking deliveries"),
        (Health(taking=True), "not connected to the bus"),
        (Health(taking=True, connected=lambda: True, answers=False), "the bus does not answer"),
        (Health(taking=True, connected=lambda: True), ""),
    ],
)
def test_health_says_what_is_wrong(health, wrong):
    assert health.wrong() == wrong
