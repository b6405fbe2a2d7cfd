import pytest

from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.cancel import cancel
from ragsolver_runtime.publish import Publisher
from ragsolver_runtime.read import EventReader
from suites.fake_bus import FakeClient


async def run_with(*names, ended=()):
    client = FakeClient()
    publisher = Publisher(client)
    for name in names:
        await publisher.publish(event(ProblemSubmitted(problem=problem(name)), problem_id=name))
    for name in ended:
        await publisher.publish(event(ProblemCancelled(requested_by="x"), problem_id=name))
    client.published.clear()
    return client, publisher, EventReader(client)


@pytest.mark.parametrize(
    ("which", "expected"), [(None, ["a", "c"]), ("c", ["c"]), ("b", []), ("nobody", [])]
)
async def test_only_open_problems_are_cancelled_and_noticed(which, expected):
    client, publisher, reader = await run_with("a", "b", "c", ended=["b"])
    assert await cancel(publisher, reader, "r1", which, by="me", reason="why") == expected
    assert [subject.rsplit(".", 1)[1] for subject, _ in client.published] == expected


async def test_who_and_why_are_recorded():
    _, publisher, reader = await run_with("a")
    await cancel(publisher, reader, "r1", "a", by="me", reason="why")
    assert (await reader.read_problem("r1", "a"))[-1].data == ProblemCancelled(
        requested_by="me", reason="why"
    )


async def test_children_are_left_to_the_end_of_the_problem_above_them():
    _, publisher, reader = await run_with("p")
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",))
    child = ProblemSubmitted(problem=problem("p.a1.h1", parent=parent))
    await publisher.publish(event(child, problem_id="p.a1.h1"))
    assert await cancel(publisher, reader, "r1", "p.a1.h1", by="me") == ["p.a1.h1"]
    assert await cancel(publisher, reader, "r1", None, by="me") == ["p"]
