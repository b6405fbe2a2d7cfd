import pytest

from ragsolver_contracts.events import PAYLOADS
from ragsolver_runtime.web.lines import _SAYS, counted, line_of
from ragsolver_runtime.wire import InvalidStored, StoredEvent
from suites.sample_run import sample_run


def test_every_event_says_something() -> None:
    assert set(_SAYS) == set(PAYLOADS)


@pytest.mark.parametrize("event", sample_run(), ids=lambda event: event.name)
def test_a_line_of_each_event_of_a_run(event) -> None:
    line = line_of(StoredEvent(7, event))
    assert (line.seq, line.name, line.source) == (7, event.name, event.source)
    assert line.text
    assert "\n" not in line.text
    assert line.problem == ("" if event.problem_id == "_run" else event.problem_id)


def test_a_message_that_is_no_event_has_a_line_too() -> None:
    line = line_of(InvalidStored(3, "subject", (("/data/plan", "is missing"),)))
    assert (line.name, line.text) == ("invalid", "/data/plan is missing")


def test_counts_in_words() -> None:
    assert counted(1, "query", "queries") == "1 query"
    assert counted(2, "query", "queries") == "2 queries"
