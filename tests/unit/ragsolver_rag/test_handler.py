import asyncio
import logging
import threading

import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_work import EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.retrieval import RetrievalResult
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event
from ragsolver_rag import handler
from ragsolver_rag.batching import OverloadedError
from ragsolver_rag.embed import ModelError
from ragsolver_rag.handler import WORKER
from ragsolver_rag.index import IndexDamagedError
from ragsolver_rag.index_folder import IndexMissingError
from ragsolver_runtime.errors import ConfigError, PermanentError
from ragsolver_runtime.worker import WorkerContext

PLANNED = event(
    ProblemPlanned(
        plan=1, subgoals=(Subgoal(subgoal_id="s1", statement_nl="x", search_queries=("q",)),)
    )
)


async def never(run_id, problem_id):
    raise AssertionError


def context(**settings):
    return WorkerContext("retriever", "one", settings, never)


def case(**changes):
    config = RunConfig(retrieval=RetrievalConfig(**changes))
    return Case.fold("r1", "add_zero_nat", [PLANNED], config)


@pytest.fixture
def no_index(monkeypatch, tmp_path):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))


def test_the_role_takes_plans_and_critiques():
    assert WORKER.role == "retriever"
    assert WORKER.emits == (EvidenceRetrieved,)
    assert WORKER.wants(PLANNED)


async def test_without_index_a_retrieval_fails_for_good_and_says_what_to_run(no_index):
    async with WORKER.open(context()) as decide:
        with pytest.raises(PermanentError, match="ragsolver index build"):
            await decide(case(), PLANNED)


async def test_without_index_a_run_without_retrieval_goes_on(no_index, caplog):
    caplog.set_level(logging.WARNING)
    async with WORKER.open(context()) as decide:
        found = await decide(case(enabled=False), PLANNED)
    assert found[0].result.trace.versions.index_version == "disabled"


class Served:
    """Stands in for `ServedSearch`: what a search does is `act`."""

    def __init__(self, act):
        self._act = act

    def __call__(self, settings, models):
        return self

    def search(self, request, cited):
        return self._act()

    def warm(self):
        pass


async def test_searches_run_outside_of_the_event_loop_and_several_at_once(monkeypatch):
    both = threading.Barrier(2, timeout=10)

    def act():
        assert threading.current_thread() is not threading.main_thread()
        both.wait()
        return RetrievalResult()

    monkeypatch.setattr(handler, "ServedSearch", Served(act))
    async with WORKER.open(context(search_threads=2)) as decide:
        found = await asyncio.gather(decide(case(), PLANNED), decide(case(), PLANNED))
    assert [len(events) for events in found] == [1, 1]


async def test_a_search_that_is_given_up_keeps_nobody_from_searching(monkeypatch):
    entered, go = threading.Event(), threading.Event()

    def act():
        entered.set()
        assert go.wait(10)
        return RetrievalResult()

    monkeypatch.setattr(handler, "ServedSearch", Served(act))
    async with WORKER.open(context(search_threads=1)) as decide:
        running = asyncio.create_task(decide(case(), PLANNED))
        await asyncio.to_thread(entered.wait, 10)
        waiting = asyncio.create_task(decide(case(), PLANNED))
        await asyncio.sleep(0)
        for task in (running, waiting):
            task.cancel()
        await asyncio.gather(running, waiting, return_exceptions=True)
        go.set()
        assert len(await decide(case(), PLANNED)) == 1


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (IndexMissingError("build it"), PermanentError),
        (ModelError("no model"), PermanentError),
        (IndexDamagedError("torn"), IndexDamagedError),
        (OverloadedError("full"), OverloadedError),
    ],
)
async def test_what_a_person_must_repair_is_final_and_damage_on_the_way_is_tried_again(
    monkeypatch, error, expected
):
    def act():
        raise error

    monkeypatch.setattr(handler, "ServedSearch", Served(act))
    async with WORKER.open(context()) as decide:
        with pytest.raises(expected, match=str(error)):
            await decide(case(), PLANNED)


async def test_a_failed_warm_up_is_only_said(monkeypatch, caplog):
    def broken(self):
        raise RuntimeError("torn table")

    monkeypatch.setattr(handler, "ServedSearch", Served(RetrievalResult))
    monkeypatch.setattr(Served, "warm", broken)
    async with WORKER.open(context()) as decide:
        await asyncio.sleep(0.01)
        assert len(await decide(case(), PLANNED)) == 1
    assert "torn table" in caplog.text


async def test_wrong_settings_stop_the_worker():
    with pytest.raises(ConfigError, match="encodr"):
        async with WORKER.open(context(encodr="x")):
            raise AssertionError
