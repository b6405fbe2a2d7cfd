import asyncio

import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted, RunStarted
from ragsolver_contracts.events_work import CandidateProposed, ProblemFailed, ProblemSolved
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.report import Outcome, Proof, SolutionReport
from ragsolver_contracts.run_config import RunConfig
from ragsolver_contracts.testing import EPOCH, event, problem
from ragsolver_runtime.about import About
from ragsolver_runtime.cancel import cancel
from ragsolver_runtime.kinship import (
    ended_ancestor,
    hole_closed,
    needless,
    told_above,
    used_calls,
)
from ragsolver_runtime.llm.port import NoModelError
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.recorded import Said, merged
from suites.consumer_bench import CALL, Bench, Delivery, failing
from suites.fake_bus import FakeClient

CHILD = "top.a3.h1"
GRANDCHILD = f"{CHILD}.a2.h2"
PARENT = Parent(problem_id="top", attempt=3, hole_id="h1", ancestors=("top",), llm_calls=2)
ABOVE = Parent(problem_id=CHILD, attempt=2, hole_id="h2", ancestors=("top", CHILD))
CANCELLED = ProblemCancelled(requested_by="me", reason="enough")
TEXT = {"proof": "by\n  decide", "preamble": "theorem aux : True := trivial"}


def submitted(name, parent=None):
    payload = ProblemSubmitted(problem=problem(name, parent=parent))
    return event(payload, problem_id=name)


def case_of(name, parent=None, *payloads):
    said = [event(payload, problem_id=name) for payload in payloads]
    return Case.fold("r1", name, [submitted(name, parent), *said])


def report(outcome, proof=None):
    return SolutionReport(
        problem_id=CHILD,
        outcome=outcome,
        message="so it is",
        proof=proof,
        submitted_at=EPOCH,
        ended_at=EPOCH,
    )


async def bus_with(*events):
    client = FakeClient()
    publisher = Publisher(client)
    started = event(RunStarted(config=RunConfig(), config_digest="d"), problem_id=RUN_SCOPE)
    for item in (started, *events):
        await publisher.publish(item)
    return client, publisher, EventReader(client)


def test_a_posted_problem_tells_nobody():
    said = [Said(CALL), Said(CANCELLED)]
    assert told_above(case_of("top"), said, 0) == said


def test_the_parent_hears_of_an_end_before_it_is_said():
    call, closed, ended = told_above(case_of(CHILD, PARENT), [Said(CALL), Said(CANCELLED)], 1)
    assert (call, ended) == (Said(CALL), Said(CANCELLED))
    assert closed.problem_id == "top"
    assert closed.payload == HoleClosed(
        attempt=3,
        hole_id="h1",
        child_id=CHILD,
        outcome=Outcome.CANCELLED,
        message="enough",
        llm_calls=1,
    )


def test_an_end_of_another_problem_closes_no_hole_of_ours():
    said = merged([], [About("top.a3.h2", CANCELLED)])
    assert told_above(case_of(CHILD, PARENT), said, 0) == said


def test_a_proof_is_told_with_its_text_and_its_calls():
    candidate = CandidateProposed(
        attempt=5,
        candidate=1,
        batch=0,
        closes_batch=True,
        closes_attempt=True,
        text=TEXT,
        strategy="s",
    )
    proof = Proof(
        source="",
        declaration=CHILD,
        strategy="s",
        attempt=5,
        candidate=1,
        statement_digest="d",
        toolchain={"kind": "embedded", "lean_version": "4"},
    )
    solved = ProblemSolved(report=report(Outcome.SOLVED, proof))
    closed = hole_closed(case_of(CHILD, PARENT, candidate), solved, 1)
    assert closed is not None
    assert closed.text == candidate.text
    assert (closed.outcome, closed.message, closed.llm_calls) == (Outcome.SOLVED, "so it is", 1)


def test_a_false_hole_is_told_as_false():
    outcome = Outcome.STATEMENT_FALSE
    failed = ProblemFailed(outcome=outcome, message="so it is", report=report(outcome))
    closed = hole_closed(case_of(CHILD, PARENT), failed, 0)
    assert closed is not None
    assert (closed.outcome, closed.text) == (outcome, None)


def test_what_ends_nothing_closes_nothing():
    assert hole_closed(case_of(CHILD, PARENT), CALL, 0) is None


async def test_a_child_ends_with_any_problem_above_it():
    _, publisher, reader = await bus_with(submitted("top"), submitted(CHILD, PARENT))
    case = case_of(GRANDCHILD, ABOVE)
    assert await ended_ancestor(reader, case) is None
    await publisher.publish(event(CANCELLED, problem_id="top"))
    over = await ended_ancestor(reader, case)
    assert over is not None
    assert (over.requested_by, over.reason) == ("parent", "top has ended: cancelled")


@pytest.mark.parametrize("noticed", [GRANDCHILD, CHILD, "top"])
async def test_a_notice_of_any_problem_above_stops_the_work(noticed):
    heard = {name: asyncio.Event() for name in (GRANDCHILD, CHILD, "top")}

    async def cancelled(run_id, problem_id):
        await heard[problem_id].wait()

    waiting = asyncio.ensure_future(needless(cancelled, case_of(GRANDCHILD, ABOVE)))
    await asyncio.sleep(0)
    assert not waiting.done()
    heard[noticed].set()
    async with asyncio.timeout(1):
        await waiting


async def test_a_delivery_of_a_child_whose_parent_ended_cancels_it_and_tells_the_parent():
    trigger = submitted(CHILD, PARENT)
    bench = Bench(failing(AssertionError("worked")))
    await bench.publisher.publish(submitted("top"))
    await bench.publisher.publish(event(CANCELLED, problem_id="top"))
    await bench.publisher.publish(trigger)
    assert await bench.handle(Delivery(trigger)) == ["ack"]
    reader = EventReader(bench.client)
    assert (await reader.load_case("r1", CHILD)).outcome is Outcome.CANCELLED
    closed = (await reader.load_case("r1", "top")).closed_holes[(3, "h1")]
    assert closed.outcome is Outcome.CANCELLED


async def test_work_that_stopped_on_a_notice_from_above_leaves_no_child_open():
    trigger = submitted(CHILD, PARENT)

    async def stopped(context, case, trigger):
        await bench.publisher.publish(event(CANCELLED, problem_id="top"))
        return []

    bench = Bench(stopped)
    await bench.publisher.publish(submitted("top"))
    await bench.publisher.publish(trigger)
    assert await bench.handle(Delivery(trigger)) == ["ack"]
    case = await EventReader(bench.client).load_case("r1", CHILD)
    assert case.outcome is Outcome.CANCELLED


async def test_what_is_said_of_another_problem_is_stored_there():
    async def about(context, case, trigger):
        return [About("top", CALL), CALL]

    bench = Bench(about)
    assert await bench.handle(Delivery()) == ["ack"]
    (stored,) = await EventReader(bench.client).read_problem("r1", "top")
    assert (stored.data, stored.problem_id) == (CALL, "top")
    assert [e.data for e in await bench.events()][1:] == [CALL]


async def test_an_undeclared_event_about_another_problem_is_buried():
    async def undeclared(context, case, trigger):
        return [About("top", CANCELLED)]

    bench = Bench(undeclared)
    assert await bench.handle(Delivery()) == ["term"]
    assert "problem_cancelled" in (await bench.failure()).message


async def test_a_child_that_somebody_cancels_closes_its_hole():
    _, publisher, reader = await bus_with(submitted("top"), submitted(CHILD, PARENT))
    assert await cancel(publisher, reader, "r1", CHILD, by="me", reason="enough") == [CHILD]
    case = await reader.load_case("r1", "top")
    assert case.closed_holes[(3, "h1")].outcome is Outcome.CANCELLED


class Accounts:
    """An account that is closed at three calls, or cannot be."""

    def __init__(self, *, open_to_us=True):
        self.open_to_us = open_to_us

    async def settle(self, case, trigger):
        if not self.open_to_us:
            raise NoModelError("no model")
        return 3


@pytest.mark.parametrize(
    ("parent", "open_to_us", "used"),
    [(None, True, 0), (PARENT, True, 3), (PARENT, False, 2), (ABOVE, False, 0)],
)
async def test_calls_of_a_grant_count_as_used_unless_its_account_is_closed(
    parent, open_to_us, used
):
    accounts = Accounts(open_to_us=open_to_us)
    assert await used_calls(accounts, case_of(CHILD, parent), submitted(CHILD, parent)) == used
