"""Engines that are not there are refused; a worker opens with its pure function."""

import pytest

from ragsolver_agents.engines import EngineMissingError, opener, require_portfolio
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.run_config import Engines, RunConfig
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.errors import ConfigError, PermanentError
from ragsolver_runtime.worker import WorkerContext


def test_portfolio_is_there():
    require_portfolio(Case("r1", "p"), "critic")


def test_llm_is_refused_with_what_to_do():
    config = RunConfig(name="mine", engines=Engines(generator="llm"))
    with pytest.raises(EngineMissingError, match=r'set engines\.generator = "portfolio".*mine'):
        require_portfolio(Case("r1", "p", config), "generator")


def test_another_workers_engine_does_not_matter():
    require_portfolio(Case("r1", "p", RunConfig(engines=Engines(generator="llm"))), "critic")


def test_a_missing_engine_is_not_tried_again():
    assert issubclass(EngineMissingError, PermanentError)


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
