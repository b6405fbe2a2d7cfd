"""One `solve`: a file goes in, a report comes out.

Start the run, post every input, follow the events until everything ended, say so, and ask a
fresh Lean process about every proof. All state is on the bus: doing the same again with the same
run id after any interruption continues where it stopped, and doubles nothing.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ragsolver_contracts.evaluation import Evaluation
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.bus_session import Bus
from ragsolver_runtime.follow import Progress, follow, read_view
from ragsolver_runtime.problem_files import FileInput
from ragsolver_runtime.read import EventReader
from ragsolver_runtime.recheck import Recheck, RecheckItem, RecheckResult, recheck_item
from ragsolver_runtime.run_report import RunReport, run_report
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.runs import finish_run, start_run
from ragsolver_runtime.submission import post_input
from ragsolver_runtime.tasks import end

T = TypeVar("T")

_CATCH_UP_S = 60.0
"""What a replica gets to show an event that is stored."""
_LOOK_AGAIN_S = 0.1


@dataclass(frozen=True)
class SolveOrder:
    """What one run is to do."""

    run_id: str
    config: RunConfig
    inputs: Sequence[FileInput]
    versions: dict[str, str]
    evaluation: Evaluation | None = None
    """The evaluation that it is part of."""

    @property
    def announced(self) -> int:
        """Different inputs: the very same broken line twice is one input."""
        return len({i.message(self.run_id) for i in self.inputs})


async def run_to_end(bus: Bus, order: SolveOrder, view: RunView, progress: Progress) -> RunReport:
    """Start or continue the run and wait until every input has ended.

    Args:
        bus: with workers and an intake on it.
        order: what to do.
        view: of this run; filled.
        progress: told what happens.
    """
    await start_run(
        bus.publisher,
        order.run_id,
        order.config,
        order.versions,
        order.announced,
        evaluation=order.evaluation,
    )
    return await until_ended(bus, _post_all(bus, order), view, progress)


async def until_ended(
    bus: Bus, post: Coroutine[Any, Any, set[str]], view: RunView, progress: Progress
) -> RunReport:
    """Post the problems of a run that was started, and wait until each of them has ended.

    Args:
        bus: with workers on it.
        post: posts them; returns the problem ids that must end.
        view: of this run; filled.
        progress: told what happens.
    """
    changed = asyncio.Event()
    following = asyncio.create_task(follow(bus.reader, view, progress, changed), name="follow")
    try:
        posting = asyncio.create_task(post, name="post")
        expected = await _first_result(posting, following)
        while not _everything_ended(view, expected):
            changed.clear()
            waiting = asyncio.create_task(changed.wait(), name="wait")
            await _first_result(waiting, following)
    finally:
        await end(following)
    report = run_report(view)
    await finish_run(bus.publisher, report)
    return run_report(await _finished(bus, view.run_id))


async def _finished(bus: Bus, run_id: str) -> RunView:
    """The run with its end, which a replica that is behind does not have yet."""
    async with asyncio.timeout(_CATCH_UP_S):
        while True:
            view = await read_view(bus.reader, run_id)
            if view.finished is not None:
                return view
            await asyncio.sleep(_LOOK_AGAIN_S)


async def _post_all(bus: Bus, order: SolveOrder) -> set[str]:
    """Post every input, in the order of the file; returns the problem ids that must end."""
    expected = set()
    for item in order.inputs:
        message = item.message(order.run_id)
        reply = await post_input(bus.client, message, run_id=order.run_id, line=item.line)
        expected.add(reply.problem_id)
    return expected


async def _first_result(wanted: asyncio.Task[T], guard: asyncio.Task[None]) -> T:
    """The result of a task, unless the one that everything rests on fails first."""
    try:
        await asyncio.wait({wanted, guard}, return_when=asyncio.FIRST_COMPLETED)
        if not wanted.done():
            guard.result()
            raise AssertionError("following a run ends only by an error")
        return wanted.result()
    finally:
        await end(wanted)


def _everything_ended(view: RunView, expected: set[str]) -> bool:
    return expected <= view.problems.keys() and not view.open_problems


async def accepted_proofs(reader: EventReader, report: RunReport) -> list[RecheckItem]:
    """What the second Lean process is asked: every proof and refutation of the report."""
    found = []
    for entry in report.problems:
        if entry.report is not None and entry.report.proof is not None:
            item = recheck_item(await reader.load_case(report.run_id, entry.problem_id))
            found += [item] if item is not None else []
    return found


def recheck_all(
    recheck: Recheck,
    items: Sequence[RecheckItem],
    each: Callable[[int], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> list[RecheckResult]:
    """Ask a fresh Lean process about every proof; a proof without an answer is a failure.

    Args:
        recheck: the installed verifier's function; it starts and ends its own process.
        items: the proofs, one per problem.
        each: called with the number of answers so far.
        stop: set to end after the proof that is being checked.
    """
    results: dict[str, RecheckResult] = {}
    failure = "the second check gave no answer"
    try:
        for result in recheck(items) if items else ():
            results[result.problem_id] = result
            each(len(results))
            if stop is not None and stop.is_set():
                break
    except Exception as error:  # noqa: BLE001 - whatever breaks in there is a failed check
        failure = f"the second check failed: {type(error).__name__}: {error}"
    return [
        results.get(i.problem_id) or RecheckResult(i.problem_id, False, failure, failed=True)
        for i in items
    ]
