import logging

import pytest

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_work import EvidenceRetrieved, ProblemPlanned
from ragsolver_contracts.plan import Subgoal
from ragsolver_contracts.retrieval import RetrievalResult
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import event
from ragsolver_rag import handler
from ragsolver_rag.handler import WORKER
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


async def test_the_search_is_asked_outside_of_the_event_loop(monkeypatch):
    threads = []

    class FixedSearch:
        def search(self, request, cited):
            import threading

            threads.append(threading.current_thread() is threading.main_thread())
            return RetrievalResult()

        def warm(self):
            pass

    monkeypatch.setattr(handler, "open_search", lambda settings: FixedSearch())
    async with WORKER.open(context(max_tokens=32)) as decide:
        assert len(await decide(case(), PLANNED)) == 1
    assert threads == [False]


async def test_a_failed_warm_up_is_only_said(monkeypatch, caplog):
    def broken(settings):
        raise RuntimeError("torn table")

    monkeypatch.setattr(handler, "open_search", broken)
    async with WORKER.open(context()) as decide:
        with pytest.raises(RuntimeError, match="torn table"):
            await decide(case(), PLANNED)


async def test_wrong_settings_stop_the_worker():
    with pytest.raises(ConfigError, match="encodr"):
        async with WORKER.open(context(encodr="x")):
            raise AssertionError
