import asyncio
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime import run_place
from ragsolver_runtime.cli import eval_runs
from ragsolver_runtime.cli.eval_runs import EvaluationRuns, evaluate
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.evaluate.running import EvaluationOrder, PlannedRun
from ragsolver_runtime.hosting import InterruptedRunError
from ragsolver_runtime.problem_files import read_inputs, selection_digest
from ragsolver_runtime.run_place import RunPlace
from ragsolver_runtime.settings import BusTable
from ragsolver_runtime.workspace import Workspace
from suites.memory_bus import MemoryBus, opens


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> MemoryBus:
    made = MemoryBus()
    monkeypatch.setattr(run_place, "embedded", opens(made))
    monkeypatch.setattr(eval_runs, "contributed", list)
    return made


@pytest.fixture
def order(tmp_path: Path) -> EvaluationOrder:
    file = tmp_path / "p.jsonl"
    fields = {"name": "a", "formal_statement": "theorem a : True := by sorry"}
    file.write_text(json.dumps(fields) + "\n")
    run = PlannedRun(
        run_id="r1", given="plain", config=RunConfig(name="plain", seed=9), repetition=2
    )
    return EvaluationOrder(
        evaluation_id="e1",
        file=str(file),
        selection=selection_digest(read_inputs(file)),
        baseline="plain",
        contamination=ContaminationCheck(problems=1),
        runs=(run,),
    )


def runs(tmp_path: Path) -> EvaluationRuns:
    place = RunPlace(
        workspace=Workspace(tmp_path / "data"),
        url=None,
        table=BusTable(),
        counts={},
        worker_settings=(),
        start_workers=False,
        console=Console(file=io.StringIO()),
    )
    return EvaluationRuns(place, tmp_path / "out")


async def test_an_interrupted_evaluation_says_how_to_go_on(
    tmp_path: Path, bus: MemoryBus, order: EvaluationOrder
) -> None:
    begun = asyncio.Event()

    def begins(event: AnyEvent) -> tuple[AnyEvent, ...]:
        begun.set()
        return ()

    bus.answer = begins
    working = asyncio.create_task(evaluate(runs(tmp_path), order))
    await begun.wait()
    working.cancel()
    with pytest.raises(InterruptedRunError, match="eval solve --resume -o "):
        await working
    (started,) = [e.data for e in bus.events.values() if isinstance(e.data, RunStarted)]
    assert started.config.seed == 9
    assert started.evaluation == order.part(order.runs[0])


async def test_a_failure_of_the_bus_says_so_too(
    tmp_path: Path, bus: MemoryBus, order: EvaluationOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise BusError("the server is gone")

    monkeypatch.setattr(eval_runs, "run_to_end", lost)
    asked = runs(tmp_path)
    with pytest.raises(BusError, match="the server is gone"):
        await evaluate(asked, order)
    assert isinstance(asked.place.console.file, io.StringIO)
    assert "--resume" in asked.place.console.file.getvalue()
