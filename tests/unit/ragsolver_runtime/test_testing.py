import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import problem
from ragsolver_runtime.testing import app_settings, said, scripted_worker, until
from ragsolver_runtime.worker import WorkerContext


async def test_a_scripted_worker_decides_by_its_function():
    async def decide(context, case, trigger):
        return [context.role, case.problem_id, trigger.name]

    async def never(run_id, problem_id):
        raise AssertionError

    context = WorkerContext("echo", "one", {}, never)
    trigger = said(ProblemSubmitted(problem=problem("a")), "r1", "a")
    async with scripted_worker(decide).open(context) as opened:
        assert await opened(Case("r1", "a"), trigger) == ["echo", "a", "problem_submitted"]


async def test_waiting_ends_when_the_condition_holds_or_time_is_up():
    tries = 0

    async def third():
        nonlocal tries
        tries += 1
        return tries == 3

    await until(third, every_s=0.001)
    assert tries == 3
    with pytest.raises(TimeoutError):
        await until(lambda: False, timeout_s=0.01, every_s=0.001)


def test_settings_are_changed_by_name():
    assert app_settings("nats://x", drain_s=9.0).drain_s == 9.0
