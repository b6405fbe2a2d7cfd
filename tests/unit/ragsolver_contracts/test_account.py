from ragsolver_contracts.account import Account, account
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_llm import RETURNED, LlmReserved
from ragsolver_contracts.report import Outcome

ONE = LlmReserved(call=1, agent="planner", purpose="plan")
GRANT = LlmReserved(call=2, calls=3, agent="critic", purpose="child", granted_to="p.a1.h1")


def closed(used: int) -> HoleClosed:
    return HoleClosed(
        attempt=1, hole_id="h1", child_id="p.a1.h1", outcome=Outcome.SOLVED, llm_calls=used
    )


def test_nothing_is_taken_at_first() -> None:
    assert account([]) == Account(0, 1)


def test_a_call_and_its_repeated_event_count_once() -> None:
    assert account([ONE, ONE]) == Account(1, 2)


def test_a_grant_takes_its_calls_and_the_numbers_after_it() -> None:
    assert account([GRANT, ONE]) == Account(4, 5)


def test_what_a_child_did_not_use_goes_back() -> None:
    assert account([ONE, GRANT, closed(1)]) == Account(2, 5)


def test_a_child_that_used_more_than_its_grant_gives_nothing_back() -> None:
    assert account([ONE, GRANT, closed(9)]) == Account(4, 5)


def test_a_child_without_a_grant_gives_nothing_back() -> None:
    assert account([ONE, closed(0)]) == Account(1, 2)


def test_what_a_child_gave_back_is_taken_but_not_used() -> None:
    back = LlmReserved(call=2, calls=3, agent="critic", purpose="grant", granted_to=RETURNED)
    now = account([ONE, back])
    assert (now.taken, now.next_call, now.used) == (4, 5, 1)
