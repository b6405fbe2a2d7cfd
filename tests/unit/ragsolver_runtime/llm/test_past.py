from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.run_config import LlmConfig
from ragsolver_contracts.testing import event
from ragsolver_runtime.llm.asked import asked
from ragsolver_runtime.llm.past import Flight, past_of
from ragsolver_runtime.wire import StoredEvent
from suites.asking_world import question, reply, submitted

TRIGGER = submitted()
WHAT = asked(LlmConfig(), TRIGGER, question())


def stored(*payloads, cause=TRIGGER):
    made = [event(p, role="planner", cause=cause) for p in payloads]
    return [StoredEvent(n, one) for n, one in enumerate(made, start=1)]


def reserved(call, **fields):
    return LlmReserved(**{"call": call, "agent": "planner", "purpose": "plan", **fields})


def test_nothing_is_known_at_first():
    past = past_of([], WHAT)
    assert (past.settled, past.tries, past.flights, past.turn) == (None, (), (), 1)


def test_the_exchange_that_was_stored_first_counts():
    first, second = WHAT.called(2, 0, reply(), 0.0), WHAT.called(1, 0, reply("refused"), 0.0)
    assert past_of(stored(first, second), WHAT).settled == first


def test_a_failure_that_passes_settles_nothing():
    failed = WHAT.called(1, 0, reply("stalled"), 0.0)
    past = past_of(stored(failed), WHAT)
    assert past.settled is None
    assert past.tries == (failed,)
    assert past.last == "stalled"
    assert past.repeated is None


def test_a_try_that_a_replay_repeated_is_told_apart():
    (first, second) = stored(
        WHAT.called(1, 0, reply("stalled"), 0.0), WHAT.called(2, 1, reply("overloaded"), 0.0)
    )
    again = StoredEvent(1, first.event.model_copy(update={"recordedfrom": "r0/e"}))
    past = past_of([again, second], WHAT)
    assert past.repeated == first.event.data
    assert past.last == "overloaded"


def test_a_reservation_without_exchange_is_in_the_air():
    called = WHAT.called(1, 0, reply("stalled"), 0.0)
    past = past_of(stored(reserved(1), called, reserved(2), reserved(3, purpose="other")), WHAT)
    assert past.flights == (Flight(2, "planner/one"),)


def test_a_grant_is_no_call():
    granted = reserved(1, calls=3, purpose="grant", granted_to="child")
    assert not past_of(stored(granted), WHAT).flights


def test_what_another_delivery_asked_is_another_question_and_a_turn():
    other = submitted().model_copy(update={"id": "0" * 32})
    called, flying = WHAT.called(1, 0, reply(), 0.0), reserved(2)
    past = past_of(stored(called, flying, cause=other), WHAT)
    assert (past.settled, past.flights, past.turn) == (None, (), 2)


def test_tries_of_one_question_are_one_turn():
    other = asked(LlmConfig(), TRIGGER, question("other"))
    tries = [other.called(n, n - 1, reply("stalled"), 0.0) for n in (1, 2)]
    assert past_of(stored(*tries), WHAT).turn == 2
    assert past_of(stored(*tries), other).turn == 1
