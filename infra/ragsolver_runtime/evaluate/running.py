"""The runs of an evaluation: one per configuration and repetition, one after the other.

What was asked stands in `order.json` in the report folder; what is finished stands on the bus. So
the same order, given again after any interruption, goes on where it stopped.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from ragsolver_contracts.base import Model
from ragsolver_contracts.evaluation import ContaminationCheck, Evaluation
from ragsolver_contracts.ids import new_run_id
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.errors import BusError, ConfigError
from ragsolver_runtime.formats.registry import AUTO
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.runs import list_runs
from ragsolver_runtime.trace import export_run
from ragsolver_runtime.wire import InvalidStored

ORDER = "order.json"
TRACES = "traces"


class PlannedRun(Model):
    """One run of the evaluation."""

    run_id: str
    given: str
    """Name or file of the configuration, as on the command line."""
    config: RunConfig
    """The configuration as it was when the evaluation was asked for, with the run's seed: a file
    that changes later changes no run."""
    repetition: int


class EvaluationOrder(Model):
    """What an evaluation was asked."""

    evaluation_id: str
    file: str
    layout: str = AUTO
    """How the file is read: `--format`."""
    only: str | None = None
    limit: int | None = None
    selection: str
    baseline: str
    contamination: ContaminationCheck
    runs: tuple[PlannedRun, ...]

    def part(self, run: PlannedRun) -> Evaluation:
        """What `run_started` says of the run's place."""
        return Evaluation(
            evaluation_id=self.evaluation_id,
            repetition=run.repetition,
            baseline=self.baseline,
            contamination=self.contamination,
        )


@dataclass(frozen=True)
class Configuration:
    """A configuration that is evaluated."""

    given: str
    """Name or file, as on the command line."""
    config: RunConfig


def planned_runs(
    configurations: Sequence[Configuration], repetitions: int, seed: int | None
) -> Iterator[PlannedRun]:
    """Every run, each repetition through all configurations before the next one.

    Args:
        configurations: the baseline first.
        repetitions: of every configuration; each has a seed of its own.
        seed: of the first repetition; none: the configuration's own.

    Raises:
        ConfigError: two configurations have one name.
    """
    names = [c.config.name for c in configurations]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ConfigError(f"--configs: {', '.join(twice)} stands there twice: rename one")
    for repetition in range(1, repetitions + 1):
        for one in configurations:
            first = one.config.seed if seed is None else seed
            yield PlannedRun(
                run_id=new_run_id(datetime.now(UTC)),
                given=one.given,
                config=one.config.model_copy(update={"seed": first + repetition - 1}),
                repetition=repetition,
            )


def write_order(order: EvaluationOrder, folder: Path) -> None:
    """Keep what was asked.

    Raises:
        ConfigError: the folder holds another evaluation.
    """
    path = folder / ORDER
    if path.exists():
        raise ConfigError(f"{folder} holds an evaluation already: --resume it, or name another")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(order.model_dump_json(indent=1) + "\n", encoding="utf-8")


def read_order(folder: Path) -> EvaluationOrder:
    """What was asked.

    Raises:
        ConfigError: there is nothing to resume.
    """
    try:
        text = (folder / ORDER).read_text(encoding="utf-8")
        return EvaluationOrder.model_validate_json(text)
    except (OSError, ValidationError) as error:
        raise ConfigError(f"{folder} holds no evaluation to resume: {error}") from error


async def run_missing(
    reader: EventReader, order: EvaluationOrder, run: Callable[[PlannedRun], Awaitable[None]]
) -> None:
    """Bring every run to its end that is not finished on the bus.

    Args:
        reader: the bus.
        order: what was asked.
        run: starts one run, or continues it.
    """
    finished = {found.run_id for found in await list_runs(reader) if found.finished}
    for planned in order.runs:
        if planned.run_id not in finished:
            await run(planned)


async def export_traces(reader: EventReader, order: EvaluationOrder, folder: Path) -> list[Path]:
    """Write the trace of every run; returns the files.

    Raises:
        BusError: what is stored of a run is not valid.
    """
    target = folder / TRACES
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for planned in order.runs:
        path = target / f"{planned.config.name}-{planned.repetition}.jsonl"
        part = path.with_name(f"{path.name}.part")
        with part.open("wb") as stream:
            async for line in export_run(reader, planned.run_id):
                if isinstance(line, InvalidStored):
                    raise BusError(f"run {planned.run_id}: message {line.sequence} is not valid")
                stream.write(line.encode() + b"\n")
        part.replace(path)
        written.append(path)
    return written
