"""Calls of a language model over the real server: paid once, counted always."""

import asyncio

import pytest

from ragsolver_contracts.events_llm import LlmCalled, LlmReserved
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.events_work import AttemptAbandoned, ProblemPlanned
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.run_config import Budget, RunConfig
from ragsolver_contracts.testing import problem
from ragsolver_runtime.connect import connect
from ragsolver_runtime.llm.backoff import Backoff
from ragsolver_runtime.llm.caller import Caller
from ragsolver_runtime.llm.ledger import Ledger
from ragsolver_runtime.llm.model import Model
from ragsolver_runtime.llm.port import Answer
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.testing import (
    running_worker,
    scripted_worker,
    start_run,
    submit_problem,
    until,
)
from suites.asking_world import Server, question, reply

pytestmark = pytest.mark.connected

RUN, PROBLEM = "r2", "add_zero_nat"  # the fixture has begun r1


def caller(client, server, name="one"):
    async def _open():
        return Model(server, Backoff(first_delay_s=0.01, longest_delay_s=0.05))

    ledger = Ledger(Publisher(client), EventReader(client), f"planner/{name}")
    return Caller(ledger, _open, patience_s=5.0)


async def begun(bus, cap=20):
    await start_run(bus.publisher, RUN, RunConfig(budget=Budget(llm_calls=cap)))
    trigger = await submit_problem(bus.publisher, RUN, problem())
    return trigger, await bus.reader.load_case(RUN, PROBLEM)


async def calls(bus):
    events = await bus.reader.read_problem(RUN, PROBLEM)
    return [event.data for event in events if isinstance(event.data, LlmCalled)]


async def test_a_process_that_is_gone_leaves_a_lost_call_and_the_next_one_goes_on(bus):
    trigger, case = await begun(bus)
    dead = await connect(bus.settings.bus, "dead")
    server = Server()
    server.gate = asyncio.Event()
    asking = asyncio.create_task(caller(dead, server, "dead").ask(case, trigger, question()))
    await until(lambda: bool(server.asked))
    await dead.close()
    asking.cancel()
    await asyncio.wait([asking])
    server.gate.set()
    told = await caller(bus.client, server, "two").ask(case, trigger, question())
    assert isinstance(told, Answer)
    assert [call.outcome.value for call in await calls(bus)] == ["lost", "answered"]
    assert await caller(bus.client, Server()).ask(case, trigger, question()) == told


async def test_of_many_processes_with_one_delivery_all_tell_the_same_answer(bus):
    trigger, case = await begun(bus)
    clients = [await connect(bus.settings.bus, f"p{n}") for n in range(5)]
    servers = [Server(reply(text=f'{{"word": "{n}"}}')) for n in range(5)]
    try:
        told = await asyncio.gather(
            *(
                caller(client, server, f"p{n}").ask(case, trigger, question())
                for n, (client, server) in enumerate(zip(clients, servers, strict=True))
            )
        )
    finally:
        for client in clients:
            await client.close()
    assert len({answer.value.word for answer in told}) == 1
    asked = sum(len(server.asked) for server in servers)
    assert asked == len(await calls(bus)) <= 20


async def test_the_budget_holds_over_processes_and_tries(bus):
    trigger, case = await begun(bus, cap=6)
    clients = [await connect(bus.settings.bus, f"p{n}") for n in range(4)]
    server = Server(reply("overloaded"))
    try:
        await asyncio.gather(
            *(
                caller(client, server, f"p{n}").ask(case, trigger, question(f"{n}"))
                for n, client in enumerate(clients)
            )
        )
    finally:
        for client in clients:
            await client.close()
    assert len(server.asked) <= len(await calls(bus)) <= 6
    events = await bus.reader.read_problem(RUN, PROBLEM)
    assert sum(isinstance(event.data, LlmReserved) for event in events) == 6


async def test_a_worker_asks_through_its_context(bus):
    async def decide(context, case, trigger):
        told = await context.llm.ask(case, trigger, question(agent="planner"))
        assert isinstance(told, Answer)
        goal = Subgoal(subgoal_id="s1", statement_nl="all of it", search_queries=("zero",))
        return [ProblemPlanned(plan=1, subgoals=(goal,), engine="llm")]

    worker = scripted_worker(decide, role="planner", emits=(ProblemPlanned,))
    settings = bus.settings
    settings = settings.__class__(**{**vars(settings), "model": {"provider": "echo"}})
    async with running_worker(worker, settings):
        await begun(bus)
        case = None

        async def planned():
            nonlocal case
            case = await bus.reader.load_case(RUN, PROBLEM)
            return bool(case.plans)

        await until(planned)
    assert [call.outcome for call in case.payloads(LlmCalled)] == [LlmOutcome.ANSWERED]
    assert case.llm_calls == 1


async def test_a_worker_without_a_model_fails_for_good_and_says_what_to_do(bus, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)

    async def decide(context, case, trigger):
        await context.llm.ask(case, trigger, question())
        return [AttemptAbandoned(agent="planner", message="never")]

    worker = scripted_worker(
        decide, role="planner", triggers=(ProblemSubmitted,), emits=(AttemptAbandoned,)
    )
    async with running_worker(worker, bus.settings):
        await begun(bus)
        failed = []

        async def buried():
            nonlocal failed
            case = await bus.reader.load_case(RUN, PROBLEM)
            failed = case.work_failures
            return bool(failed)

        await until(buried)
    assert "ANTHROPIC_API_KEY" in failed[0].message
    assert not await calls(bus)
