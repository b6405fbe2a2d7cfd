from ragsolver_contracts.run_config import LlmConfig
from ragsolver_runtime.llm.asked import asked
from ragsolver_runtime.publish import Duplicate, Stored
from suites.asking_world import Server, World, question, reply


async def test_a_call_number_has_one_exchange_the_first():
    world = World()
    ledger = world.caller(Server()).ledger
    what = asked(LlmConfig(), world.trigger, question())
    called = what.called(1, 0, reply(), 0.0)
    assert isinstance(await ledger.lose(world.case, what, 1, 0, "gone"), Stored)
    assert isinstance(await ledger.write(world.case, what, called), Duplicate)
    assert world.outcomes == ["lost"]
    assert world.events[0].source == "planner/one"
    assert world.events[0].causationid == world.trigger.id


async def test_a_written_exchange_can_be_read():
    world = World()
    ledger = world.caller(Server()).ledger
    what = asked(LlmConfig(), world.trigger, question())
    written = await ledger.write(world.case, what, what.called(1, 0, reply(), 0.0), "r0/e")
    (stored,) = await ledger.stored(world.case, written.sequence)
    assert stored.event.recordedfrom == "r0/e"


def test_secrets_are_hidden_wherever_a_server_puts_them():
    ledger = World().caller(Server(), secrets=("sk-1",)).ledger
    said = ledger.clean(reply(text="my sk-1", error="sk-1?", stop_reason="sk-1"))
    assert (said.text, said.error, said.stop_reason) == ("my [secret]", "[secret]?", "[secret]")


def test_the_purse_is_the_problems_own():
    world = World(cap=7)
    purse = world.caller(Server()).ledger.purse(world.case, world.trigger)
    assert (purse.cap, purse.problem_id, purse.source) == (7, "add_zero_nat", "planner/one")
