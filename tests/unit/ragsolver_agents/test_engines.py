"""A worker opens with its pure function, or with one that may ask a model."""

import pytest

from ragsolver_agents.engines import (
    asking_opener,
    opener,
)
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.worker import WorkerContext


def context(**settings):
    async def never(_run: str, _problem: str) -> None:
        raise AssertionError

    return WorkerContext(role="critic", instance="one", settings=settings, cancelled=never)


async def test_a_setting_that_does_not_exist_is_refused():
    with pytest.raises(ConfigError, match="depth"):
        async with opener(lambda _case, _said: [])(context(depth=3)):
            pass


async def test_an_opened_worker_decides_by_its_function():
    trigger = event(ProblemSubmitted(problem=problem()))
    async with opener(lambda _case, said: [said.data])(context()) as decide:
        assert await decide(Case("r1", "p"), trigger) == [trigger.data]


async def test_an_asking_worker_gets_the_port_of_its_process():
    async def decide(_case, _trigger, llm):
        return [llm]

    given = context()
    async with asking_opener(decide)(given) as run:
        assert await run(Case("r1", "p"), event(ProblemSubmitted(problem=problem()))) == [
            given.llm
        ]
