from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_contracts.llm import LlmOutcome, Usage
from ragsolver_contracts.run_config import LlmConfig
from ragsolver_contracts.testing import event
from ragsolver_runtime.llm.asked import asked
from ragsolver_runtime.model_use import HEAD, CallCounter, ModelTotals, use_rows
from suites.asking_world import question, reply, submitted

TRIGGER = submitted()
USAGE = Usage(input_tokens=10, output_tokens=5, cache_read_tokens=3, cache_write_tokens=2)


def counted(*calls, reserved=0):
    counter = CallCounter()
    for number in range(1, reserved + 1):
        counter.apply(event(LlmReserved(call=number, agent="planner", purpose="plan")))
    for number, (agent, outcome, again) in enumerate(calls, start=1):
        what = asked(LlmConfig(model="m"), TRIGGER, question(agent=agent))
        called = what.called(number, 0, reply(outcome, usage=USAGE), 0.25)
        made = event(called, cause=TRIGGER)
        counter.apply(made.model_copy(update={"recordedfrom": "r0/e"}) if again else made)
    return counter


def test_a_run_without_a_model_used_none():
    assert counted().totals == ModelTotals()
    assert counted().uses == ()


def test_calls_are_counted_by_agent_and_model():
    counter = counted(
        ("planner", LlmOutcome.ANSWERED, False),
        ("critic", LlmOutcome.REFUSED, False),
        ("planner", LlmOutcome.OVERLOADED, False),
        reserved=3,
    )
    critic, planner = counter.uses
    assert (critic.agent, critic.outcomes) == ("critic", {"refused": 1})
    assert (planner.calls, planner.outcomes) == (2, {"answered": 1, "overloaded": 1})
    assert (planner.input_tokens, planner.output_tokens, planner.cost_usd) == (20, 10, 0.5)
    totals = counter.totals
    assert (totals.calls, totals.cost_usd, totals.cache_tokens) == (3, 0.75, 15)


def test_lost_calls_and_those_without_a_record_are_told():
    totals = counted(("planner", LlmOutcome.LOST, False), reserved=3).totals
    assert (totals.calls, totals.lost, totals.unrecorded) == (3, 1, 2)


def test_a_grant_is_no_call():
    counter = CallCounter()
    counter.apply(
        event(LlmReserved(call=1, calls=4, agent="critic", purpose="grant", granted_to="c"))
    )
    assert counter.totals.calls == 0


def test_what_a_replay_used_again_costs_nothing_now():
    counter = counted(
        ("planner", LlmOutcome.ANSWERED, True), ("planner", LlmOutcome.ANSWERED, False), reserved=2
    )
    totals = counter.totals
    assert (totals.calls, totals.reused) == (2, 1)
    assert (totals.input_tokens, totals.cost_usd) == (10, 0.25)


def test_a_row_says_everything_in_words():
    counter = counted(
        ("planner", LlmOutcome.ANSWERED, False),
        ("planner", LlmOutcome.RATE_LIMITED, True),
    )
    (row,) = use_rows(counter.uses)
    assert dict(zip(HEAD, row, strict=True)) == {
        "agent": "planner",
        "model": "m",
        "calls": "2 (1 from the recording)",
        "how they ended": "1 answered, 1 rate limited",
        "in": "10",
        "out": "5",
        "cached": "3 / 2",
        "USD": "0.2500",
    }
