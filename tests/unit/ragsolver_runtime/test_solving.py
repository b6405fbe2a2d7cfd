import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import ProblemSolved
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime import solving
from ragsolver_runtime.follow import read_view
from ragsolver_runtime.problem_files import read_inputs
from ragsolver_runtime.recheck import RecheckItem, RecheckResult
from ragsolver_runtime.run_report import report_of_events
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.solving import SolveOrder, accepted_proofs, recheck_all, run_to_end
from ragsolver_runtime.testing import said
from suites.memory_bus import MemoryBus
from suites.recorded_progress import RecordedProgress
from suites.sample_run import RUN, accepted, sample_run, solution

LINES = '{"name": "a", "formal_statement": "theorem a : True"}\n' * 2 + "{bad\n{bad\n"


@pytest.fixture
def order(tmp_path: Path) -> SolveOrder:
    path = tmp_path / "p.jsonl"
    path.write_text(LINES.replace('"a"', '"b"', 1))
    return SolveOrder(RUN, RunConfig(), list(read_inputs(path)), {"lean": "4"})


def solves(event: AnyEvent) -> Iterator[AnyEvent]:
    """Every submitted problem is solved at once."""
    if event.name == "problem_submitted":
        report = solution(event.problem_id, Outcome.SOLVED, "done", 1)
        yield said(ProblemSolved(report=report), event.run_id, event.problem_id, event)


async def test_a_run_ends_when_every_input_has_ended(order: SolveOrder) -> None:
    bus, progress = MemoryBus(), RecordedProgress()
    bus.answer = solves
    good = SolveOrder(order.run_id, order.config, order.inputs[:2], order.versions)
    report = await run_to_end(bus, good, RunView(RUN), progress)
    assert report.outcomes == {"solved": 2}
    assert report.finished_at is not None
    assert report.versions == {"lean": "4"}
    assert sorted(progress.problems) == ["a", "b"]
    again = await run_to_end(bus, good, RunView(RUN), RecordedProgress())
    assert again == report


async def test_a_report_waits_for_a_replica_that_does_not_show_the_end_yet(
    order: SolveOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus, views = MemoryBus(), [RunView(RUN), RunView(RUN)]
    bus.answer = solves

    async def _behind(reader: MemoryBus, run_id: str) -> RunView:
        return views.pop() if views else await read_view(reader, run_id)

    monkeypatch.setattr(solving, "read_view", _behind)
    good = SolveOrder(order.run_id, order.config, order.inputs[:2], order.versions)
    report = await run_to_end(bus, good, RunView(RUN), RecordedProgress())
    assert (views, report.outcomes) == ([], {"solved": 2})


async def test_a_run_goes_on_while_something_is_open(order: SolveOrder) -> None:
    bus = MemoryBus()
    work = run_to_end(bus, order, RunView(RUN), RecordedProgress())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(work, 0.3)
    assert not any(e.name == "run_finished" for e in bus.events.values())


def test_the_same_broken_line_twice_is_one_input(order: SolveOrder) -> None:
    assert len(order.inputs) == 4
    assert order.announced == 3


async def test_every_proof_of_the_report_is_asked_about() -> None:
    bus = MemoryBus(sample_run())
    (item,) = await accepted_proofs(bus, report_of_events(RUN, sample_run()))
    assert item.problem_id == "add_zero_nat"
    assert item.statement_digest == accepted().statement_digest


def test_a_proof_without_an_answer_is_a_failure() -> None:
    bus = MemoryBus(sample_run())
    items = asyncio.run(accepted_proofs(bus, report_of_events(RUN, sample_run())))

    def silent(_: list[RecheckItem]) -> list[RecheckResult]:
        return []

    def broken(_: list[RecheckItem]) -> Iterator[RecheckResult]:
        raise OSError("no node")
        yield

    for recheck, words in ((silent, "no answer"), (broken, "no node")):
        (result,) = recheck_all(recheck, items)
        assert (result.accepted, result.failed) == (False, True)
        assert words in result.detail


def test_the_second_check_tells_its_progress_and_can_be_stopped() -> None:
    bus = MemoryBus(sample_run())
    (item,) = asyncio.run(accepted_proofs(bus, report_of_events(RUN, sample_run())))
    items = [replace(item, problem_id=name) for name in ("a", "b", "c")]
    told: list[int] = []
    stop = threading.Event()

    def accepting(_: list[RecheckItem]) -> Iterator[RecheckResult]:
        for asked in items:
            if asked.problem_id == "b":
                stop.set()
            yield RecheckResult(asked.problem_id, accepted=True)

    results = recheck_all(accepting, items, told.append, stop)
    assert [r.accepted for r in results] == [True, True, False]
    assert told == [1, 2]


def test_nothing_to_check_starts_no_lean() -> None:
    def explode(_: object) -> list[RecheckResult]:
        raise AssertionError("started Lean for nothing")

    assert recheck_all(explode, []) == []
