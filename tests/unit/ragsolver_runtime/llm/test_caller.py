import asyncio

import pytest

from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.problem import Parent
from ragsolver_runtime.budget import Purse
from ragsolver_runtime.errors import NoRecordedAnswerError
from ragsolver_runtime.llm.model import no_model
from ragsolver_runtime.llm.port import Answer, NoAnswer, NoModelError
from ragsolver_runtime.testing import until
from suites.asking_world import GOOD, Server, Word, World, killed, question, reply
from suites.replayed_world import Recording

PASSING = [outcome for outcome in LlmOutcome if outcome.passes and outcome is not LlmOutcome.LOST]
FINAL = [o for o in LlmOutcome if not o.passes and o is not LlmOutcome.ANSWERED]


async def ask(world, server, name="one", what=None, **fields):
    caller = world.caller(server, name, **fields)
    return await caller.ask(world.case, world.trigger, what or question())


async def test_a_call_is_reserved_asked_stored_and_told():
    world, server = World(), Server()
    assert await ask(world, server) == Answer(Word(word="yes"), 1)
    assert [e.name for e in world.events] == ["llm_reserved", "llm_called"]
    assert all(e.causationid == world.trigger.id for e in world.events)
    (call,) = world.calls
    assert (call.response, call.input_tokens, call.output_tokens) == (GOOD, 7, 3)
    assert call.request["messages"][0]["content"][0]["text"] == "Say a word."
    assert call.parameters["max_tokens"] == world.config.llm.max_tokens
    (request, call_id) = server.asked[0]
    assert call.request_hash == request.request_hash
    assert (call_id.call, call_id.turn, call_id.problem_id) == (1, 1, "add_zero_nat")


async def test_a_delivery_that_comes_again_gets_the_stored_answer_and_pays_nothing():
    world = World()
    first, second = Server(), Server(reply(text='{"word": "other"}'))
    told = await ask(world, first)
    assert await ask(world, second, "two") == told
    assert not second.asked
    assert len(world.events) == 2


async def test_another_question_or_another_trigger_is_another_call():
    world, server = World(), Server()
    await ask(world, server)
    await ask(world, server, what=question("Say another word."))
    assert [call.turn for _, call in server.asked] == [1, 2]
    assert [call.call for call in world.calls] == [1, 2]


async def test_a_process_that_died_before_its_answer_was_stored_leaves_a_lost_call():
    world, server = World(), Server()
    server.gate = asyncio.Event()
    await killed(world, server, lambda: len(server.asked) == 1)
    assert [e.name for e in world.events] == ["llm_reserved"]
    server.gate.set()
    assert await ask(world, server, "two") == Answer(Word(word="yes"), 2)
    assert world.outcomes == ["lost", "answered"]
    assert "planner/dead" in world.calls[0].error
    assert [call.retry for call in world.calls] == [0, 1]
    assert world.case.llm_calls == 2
    assert [call.turn for _, call in server.asked] == [1, 1]


async def test_a_lost_call_counts_against_the_budget():
    world, server = World(cap=1), Server()
    server.gate = asyncio.Event()
    await killed(world, server, lambda: len(server.asked) == 1)
    told = await ask(world, server, "two")
    assert told == NoAnswer(None, told.message)
    assert "all 1 of the budget" in told.message
    assert world.outcomes == ["lost"]
    assert len(server.asked) == 1


async def test_a_cancelled_call_puts_itself_on_record():
    world, server = World(), Server()
    server.gate = asyncio.Event()
    asking = asyncio.create_task(ask(world, server))
    await until(lambda: bool(server.asked))
    asking.cancel()
    await asyncio.wait([asking])
    assert asking.cancelled()
    assert world.outcomes == ["lost"]
    assert world.case.llm_calls == 1


async def test_a_slow_process_that_was_taken_for_dead_uses_the_answer_of_the_other():
    world, slow, quick = World(), Server(reply(text='{"word": "late"}')), Server()
    slow.gate = asyncio.Event()
    first = asyncio.create_task(ask(world, slow, "slow"))
    await until(lambda: bool(slow.asked))
    second = await ask(world, quick, "quick")
    slow.gate.set()
    assert await first == second == Answer(Word(word="yes"), 2)
    assert world.outcomes == ["lost", "answered"]


async def test_a_slow_process_goes_on_when_the_other_gives_no_answer_in_time():
    world, slow = World(), Server()
    slow.gate = asyncio.Event()
    first = asyncio.create_task(ask(world, slow, "slow", patience_s=0.01))
    await until(lambda: bool(slow.asked))
    never = Server()
    never.gate = asyncio.Event()
    await killed(world, never, lambda: len(never.asked) == 1)
    slow.gate.set()
    assert await first == Answer(Word(word="yes"), 3)
    assert world.outcomes == ["lost", "lost", "answered"]


async def test_two_lanes_of_one_process_pay_once():
    world, server = World(), Server()
    server.gate = asyncio.Event()
    caller = world.caller(server)
    asking = [
        asyncio.create_task(caller.ask(world.case, world.trigger, question())) for _ in range(2)
    ]
    await until(lambda: bool(server.asked))
    await asyncio.sleep(0.05)
    server.gate.set()
    told = await asyncio.gather(*asking)
    assert told[0] == told[1]
    assert len(server.asked) == 1


@pytest.mark.parametrize("outcome", PASSING)
async def test_what_may_pass_is_tried_again_and_every_try_counts(outcome):
    world, server = World(), Server(reply(outcome, error="busy"), reply(outcome), reply())
    assert await ask(world, server) == Answer(Word(word="yes"), 3)
    assert world.outcomes == [outcome.value, outcome.value, "answered"]
    assert [call.retry for call in world.calls] == [0, 1, 2]
    assert {call.turn for _, call in server.asked} == {1}
    assert world.case.llm_calls == 3


@pytest.mark.parametrize("outcome", FINAL)
async def test_what_cannot_pass_is_told_at_once_and_apart(outcome):
    world, server = World(), Server(reply(outcome, error="because"))
    told = await ask(world, server)
    assert isinstance(told, NoAnswer)
    assert told.outcome is outcome
    assert "because" in told.message
    assert len(server.asked) == 1
    assert await ask(world, Server(), "two") == told


@pytest.mark.parametrize(
    "text", ["", "yes", '{"word": 3}', "{}", '```json\n{"word": "yes"}\n```', GOOD[:-1]]
)
async def test_an_answer_that_is_not_what_was_asked_for_is_invalid_and_kept(text):
    world, server = World(), Server(reply(text=text))
    told = await ask(world, server)
    assert isinstance(told, NoAnswer)
    assert (told.outcome, told.text) == (LlmOutcome.INVALID, text)
    assert "not a Word" in told.message
    assert len(server.asked) == 1
    assert (world.outcomes, world.calls[0].response) == (["invalid"], text)


async def test_after_all_tries_the_last_outcome_is_told_and_stays():
    world, server = World(), Server(reply("overloaded", error="too busy"))
    told = await ask(world, server)
    assert told.outcome is LlmOutcome.OVERLOADED
    assert len(server.asked) == 4
    assert await ask(world, Server(), "two") == told


async def test_the_budget_may_end_in_the_middle_of_the_tries():
    world, server = World(cap=2), Server(reply("rate_limited"))
    told = await ask(world, server)
    assert told.outcome is None
    assert "rate_limited" in told.message
    assert len(server.asked) == len(world.reserved) == 2


async def test_without_a_call_nobody_is_asked():
    world, server = World(cap=0), Server()
    assert (await ask(world, server)).outcome is None
    assert not server.asked
    assert not world.events


async def test_a_child_may_call_as_often_as_its_parent_granted():
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",), llm_calls=1)
    world, server = World(cap=20, parent=parent), Server()
    assert isinstance(await ask(world, server), Answer)
    assert (await ask(world, server, what=question("again"))).outcome is None


async def test_a_process_without_a_model_takes_nothing():
    world = World()
    with pytest.raises(NoModelError, match="can ask no model"):
        await ask(world, Server(), open_model=no_model)
    assert not world.events


async def test_a_provider_that_breaks_leaves_a_lost_call():
    class Broken(Server):
        async def ask(self, request, call):
            raise KeyError("key")

    world = World()
    with pytest.raises(KeyError):
        await ask(world, Broken())
    assert world.outcomes == ["lost"]


async def test_no_secret_reaches_an_event():
    key = "sk-very-secret"
    said = reply("unauthorized", error=f"bad key {key}", text=f"you sent {key}", stop_reason=key)
    world = World()
    told = await ask(world, Server(said), secrets=(key,))
    assert key not in told.message + told.text
    assert not any(key.encode() in message.data for message in world.client.js.messages)
    assert "[secret]" in world.calls[0].error


async def test_a_grant_and_its_return():
    world = World(cap=5)
    caller = world.caller(Server())
    assert await caller.grant(world.case, world.trigger, "p.a1.h1", 3) == 3
    assert await caller.grant(world.case, world.trigger, "p.a1.h1", 1) == 3
    assert await caller.grant(world.case, world.trigger, "p.a1.h2", 3) == 2
    assert await caller.grant(world.case, world.trigger, "p.a1.h3", 3) == 0
    assert await caller.settle(world.case, world.trigger) == 5


async def test_an_account_that_is_closed_allows_no_call():
    world, server = World(cap=5), Server()
    await ask(world, server)
    caller = world.caller(server)
    assert await caller.settle(world.case, world.trigger) == 1
    assert await caller.settle(world.case, world.trigger) == 1
    assert (await ask(world, server, what=question("more"))).outcome is None
    assert world.case.llm_calls == 1


def recording(*worlds, llm="recorded"):
    port = Recording.of([world.case for world in worlds], llm=llm)

    async def _recorded(_run, _problem):
        return port

    return _recorded


async def test_a_replay_stores_what_was_recorded_and_asks_nobody():
    old, new = World(), World()
    told = await ask(old, Server(reply("stalled"), reply("overloaded"), reply()))
    nobody = Server()
    again = await ask(new, nobody, recorded=recording(old), open_model=no_model)
    assert again == told
    assert not nobody.asked
    assert new.outcomes == old.outcomes
    called = [e for e in new.events if e.name == "llm_called"]
    old_ids = [f"r1/{e.id}" for e in old.events if e.name == "llm_called"]
    assert [e.recordedfrom for e in called] == old_ids
    assert len(new.reserved) == 3


async def test_a_replay_gives_up_where_the_recorded_run_did():
    old, new = World(), World()
    told = await ask(old, Server(reply("overloaded", error="busy")))
    assert await ask(new, Server(), recorded=recording(old), open_model=no_model) == told


async def test_a_replay_ends_at_the_budget_where_the_recorded_run_did():
    old, new = World(cap=2), World(cap=2)
    told = await ask(old, Server(reply("overloaded")))
    assert told.outcome is None
    assert await ask(new, Server(), recorded=recording(old), open_model=no_model) == told


async def test_a_replay_may_not_ask_what_was_not_recorded_unless_it_is_allowed_to():
    old, new, server = World(), World(), Server()
    await ask(old, Server())
    other = question("changed")
    with pytest.raises(NoRecordedAnswerError):
        await ask(new, server, what=other, recorded=recording(old))
    allowed = recording(old, llm="recorded-then-live")
    assert isinstance(await ask(new, server, what=other, recorded=allowed), Answer)
    assert await ask(new, server, recorded=allowed)
    assert len(server.asked) == 1


async def test_a_process_of_a_replay_that_dies_uses_up_no_recorded_answer():
    old, new, server = World(), World(), Server()
    told = await ask(old, Server())
    server.gate = asyncio.Event()
    await killed(new, server, lambda: len(server.asked) == 1)
    again = await ask(new, Server(), "two", recorded=recording(old), open_model=no_model)
    assert again.value == told.value
    assert new.outcomes == ["lost", "answered"]


async def test_a_death_in_a_replay_is_no_reason_to_give_up_what_is_not_recorded():
    old, new, server = World(), World(), Server()
    await ask(old, Server())
    await new.caller(server, "dead").ledger.purse(new.case, new.trigger).reserve("planner", "plan")
    with pytest.raises(NoRecordedAnswerError):
        await ask(new, server, what=question("changed"), recorded=recording(old))


async def test_an_answer_that_a_replica_does_not_show_yet_is_not_paid_again():
    world, server = World(), Server()
    told = await ask(world, server)
    world.client.behind = [2, 2, 0]
    assert await ask(world, server, "two") == told
    assert len(server.asked) == len(world.reserved) == 1


async def test_an_answer_that_comes_between_looking_and_reserving_is_not_paid_again(monkeypatch):
    world, server, rival = World(), Server(), Server()
    looked = Purse.left

    async def _slow(purse):
        if not rival.asked:
            monkeypatch.setattr(Purse, "left", looked)
            await ask(world, rival, "two")
        return await looked(purse)

    monkeypatch.setattr(Purse, "left", _slow)
    assert isinstance(await ask(world, server), Answer)
    assert (len(server.asked), len(rival.asked)) == (0, 1)
