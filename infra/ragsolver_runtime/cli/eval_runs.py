"""The runs of `ragsolver eval solve`: one bus, one set of workers, one run after the other."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.doctor import contributed
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.evaluate.running import (
    EvaluationOrder,
    PlannedRun,
    export_traces,
    run_missing,
)
from ragsolver_runtime.hosting import InterruptedRunError, while_alive
from ragsolver_runtime.problem_files import FileInput
from ragsolver_runtime.progress import progress_for
from ragsolver_runtime.run_notes import selected_inputs
from ragsolver_runtime.run_place import RunPlace
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import versions
from ragsolver_runtime.solving import SolveOrder, run_to_end
from ragsolver_runtime.supervisor import Supervisor
from ragsolver_runtime.workspace import RunNote


@dataclass(frozen=True)
class EvaluationRuns:
    """Where the runs of an evaluation take place, and the folder of what comes of them."""

    place: RunPlace
    folder: Path


async def evaluate(asked: EvaluationRuns, order: EvaluationOrder) -> list[Path]:
    """Bring every run of the order to its end; returns their traces.

    Args:
        asked: where, and with which workers.
        order: which runs.

    Raises:
        BusError: infrastructure failed; the same order goes on later.
        InterruptedRunError: somebody asked to stop.
    """
    asked = replace(asked, place=await asked.place.ready())
    async with asked.place.bus("cli/eval") as bus:
        try:
            return await _on_bus(bus, asked, order)
        except asyncio.CancelledError as error:
            raise InterruptedRunError(f"interrupted; {_hint(asked)}") from error
        except BusError:
            asked.place.console.print(_hint(asked), markup=False, soft_wrap=True)
            raise


def _hint(asked: EvaluationRuns) -> str:
    return f"continue it with: ragsolver eval solve --resume -o {asked.folder}"


async def _on_bus(bus: Bus, asked: EvaluationRuns, order: EvaluationOrder) -> list[Path]:
    inputs = selected_inputs(_note(order, order.runs[0]))
    parts = versions(contributed())
    logs = asked.place.workspace.run(order.evaluation_id) / "logs"
    async with asked.place.workers(bus, logs, order.runs[0].given) as supervisor:

        async def _one(planned: PlannedRun) -> None:
            await _run(bus, asked, order, planned, (inputs, parts), supervisor)

        await run_missing(bus.reader, order, _one)
    return await export_traces(bus.reader, order, asked.folder)


async def _run(
    bus: Bus,
    asked: EvaluationRuns,
    order: EvaluationOrder,
    planned: PlannedRun,
    given: tuple[list[FileInput], dict[str, str]],
    supervisor: Supervisor | None,
) -> None:
    place = order.runs.index(planned) + 1
    asked.place.console.print(
        f"run {place} of {len(order.runs)}: {planned.config.name}, "
        f"repetition {planned.repetition} ({planned.run_id})",
        markup=False,
        soft_wrap=True,
    )
    solving = SolveOrder(
        run_id=planned.run_id,
        config=planned.config,
        inputs=given[0],
        versions=given[1],
        evaluation=order.part(planned),
    )
    view = RunView(planned.run_id)
    with progress_for(asked.place.console, view, solving.announced) as progress:
        await while_alive(run_to_end(bus, solving, view, progress), bus, supervisor)


def _note(order: EvaluationOrder, planned: PlannedRun) -> RunNote:
    return RunNote(
        run_id=planned.run_id,
        file=order.file,
        layout=order.layout,
        only=order.only,
        limit=order.limit,
        selection=order.selection,
        config=planned.given,
    )
