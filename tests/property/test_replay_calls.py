"""Behaviour contract `replay`, its part on language models: contracts/behaviour/replay.yaml."""

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.state import state_hash
from ragsolver_runtime.llm.model import no_model
from ragsolver_runtime.llm.port import Answer
from ragsolver_runtime.replay.costs import spent_on
from suites.asking_world import Server, World, question, reply
from suites.replayed_world import Recording

SLOW = settings(deadline=None, max_examples=40)
OUTCOMES = st.lists(
    st.sampled_from([outcome for outcome in LlmOutcome if outcome is not LlmOutcome.LOST]),
    min_size=1,
    max_size=10,
)
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=4, unique=True)
DEATHS = st.lists(st.booleans(), min_size=5, max_size=5)
CAPS = st.integers(0, 12)


async def played(world, server, texts, deaths=(), **fields):
    """What each question is told; where `deaths` says so, its first process dies in the call."""
    told = []
    for number, text in enumerate(texts):
        caller = world.caller(server, f"p{number}", **fields)
        if number < len(deaths) and deaths[number]:
            purse = caller.ledger.purse(world.case, world.trigger)
            await purse.reserve("planner", "plan")
        said = await caller.ask(world.case, world.trigger, question(text))
        told.append(said.value if isinstance(said, Answer) else said)
    return told


def history(outcomes, texts, deaths, cap):
    world, server = World(cap=cap), Server(*(reply(outcome) for outcome in outcomes))
    told = asyncio.run(played(world, server, texts, deaths))
    return world, server, told


def recorded_in(world, llm="recorded"):
    port = Recording.of([world.case], llm=llm)

    async def _recorded(_run, _problem):
        return port

    return _recorded


@SLOW
@given(OUTCOMES, TEXTS, DEATHS, CAPS)
def test_recorded_calls_come_to_the_same_state_and_ask_nobody(outcomes, texts, deaths, cap):
    old, _, told = history(outcomes, texts, deaths, cap)
    new, nobody = World(cap=cap), Server()
    again = asyncio.run(played(new, nobody, texts, recorded=recorded_in(old), open_model=no_model))
    assert again == told
    assert not nobody.asked
    assert state_hash(new.case) == state_hash(old.case)
    assert new.outcomes == old.outcomes
    assert spent_on(new.case).live.nothing
    assert spent_on(new.case).reused == spent_on(old.case).live


@SLOW
@given(OUTCOMES, TEXTS, DEATHS, DEATHS)
def test_processes_of_a_replay_that_die_change_nothing(outcomes, texts, deaths, later):
    old, _, told = history(outcomes, texts, deaths, cap=1000)
    new, nobody = World(cap=1000), Server()
    fields = {"recorded": recorded_in(old), "open_model": no_model}
    again = asyncio.run(played(new, nobody, texts, later, **fields))
    assert again == told
    assert not nobody.asked
    assert state_hash(new.case) == state_hash(old.case)


@SLOW
@given(TEXTS, TEXTS)
def test_only_changed_requests_are_made(texts, other):
    old, _, _ = history([LlmOutcome.ANSWERED], texts, [], cap=1000)
    new, server = World(cap=1000), Server()
    fields = {"recorded": recorded_in(old, "recorded-then-live")}
    asyncio.run(played(new, server, other, **fields))
    assert len(server.asked) == len(set(other) - set(texts))
    assert spent_on(new.case).live.llm_calls == len(server.asked)
    assert spent_on(new.case).reused.llm_calls == len(set(other) & set(texts))
