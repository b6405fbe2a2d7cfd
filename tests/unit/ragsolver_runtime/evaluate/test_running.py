from pathlib import Path

import pytest

from ragsolver_contracts.evaluation import ContaminationCheck
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.evaluate.running import (
    Configuration,
    EvaluationOrder,
    PlannedRun,
    export_traces,
    planned_runs,
    read_order,
    run_missing,
    write_order,
)
from suites.memory_bus import MemoryBus
from suites.sample_run import sample_run

TWO = (
    Configuration("full", RunConfig(name="full", seed=5)),
    Configuration("x.toml", RunConfig(name="x", seed=5)),
)


def order(*run_ids: str) -> EvaluationOrder:
    runs = tuple(
        PlannedRun(run_id=r, given="full", config=RunConfig(name=r), repetition=1) for r in run_ids
    )
    return EvaluationOrder(
        evaluation_id="e1",
        file="p.jsonl",
        selection="0",
        baseline="full",
        contamination=ContaminationCheck(),
        runs=runs,
    )


def test_every_configuration_and_repetition_has_a_run_and_a_seed() -> None:
    runs = list(planned_runs(TWO, 2, None))
    assert [(r.config.name, r.repetition, r.config.seed) for r in runs] == [
        ("full", 1, 5), ("x", 1, 5), ("full", 2, 6), ("x", 2, 6),
    ]  # fmt: skip
    assert len({r.run_id for r in runs}) == 4
    assert [r.config.seed for r in planned_runs(TWO[:1], 2, 10)] == [10, 11]


def test_one_name_twice_is_refused() -> None:
    with pytest.raises(ConfigError, match="full stands there twice"):
        list(planned_runs((TWO[0], TWO[0]), 1, None))


def test_an_order_is_kept_once_and_read_again(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no evaluation to resume"):
        read_order(tmp_path)
    write_order(order("r1"), tmp_path / "out")
    assert read_order(tmp_path / "out") == order("r1")
    with pytest.raises(ConfigError, match="holds an evaluation already"):
        write_order(order("r2"), tmp_path / "out")


async def test_finished_runs_are_not_run_again() -> None:
    asked = []

    async def run(planned: PlannedRun) -> None:
        asked.append(planned.run_id)

    await run_missing(MemoryBus(sample_run()), order("r1", "r2"), run)  # type: ignore[arg-type]
    assert asked == ["r2"]


async def test_every_run_has_its_trace(tmp_path: Path) -> None:
    bus = MemoryBus(sample_run())
    (path,) = await export_traces(bus, order("r1"), tmp_path)  # type: ignore[arg-type]
    assert path.name == "r1-1.jsonl"
    assert len(path.read_text().splitlines()) == len(sample_run()) + 1
