"""Checking many files at once on a pool of Lean processes, with findings in the files' order."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Protocol, TypeVar

import psutil

from ragsolver_runtime.tasks import end
from ragsolver_verifier.check_file import FileCheck
from ragsolver_verifier.errors import LeanFailureError
from ragsolver_verifier.finding import Finding
from ragsolver_verifier.session import LeanSession

_PROCESS_MIB = 1_300
"""Resident memory of one Lean process at work."""
_MIB = 1024**2

T = TypeVar("T")
_Queue = asyncio.Queue[Finding | None]


class Leases(Protocol):
    """Where Lean processes come from."""

    async def use(self, work: Callable[[LeanSession], T]) -> T:
        """What `work` returns, done in a thread on a leased session.

        Raises:
            LeanFailureError: no session could be started.
        """


def jobs_for(files: int, wanted: int | None = None) -> int:
    """How many Lean processes to run: one a core, as memory allows, no more than files.

    Args:
        files: number of files; the theorems of one file are judged one after the other.
        wanted: as the user says; then memory and cores are the user's business.
    """
    if wanted is not None:
        return max(1, min(wanted, files))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    room = psutil.virtual_memory().available // _MIB // _PROCESS_MIB
    return max(1, min(files, cores or 1, room))


async def findings(
    leases: Leases, checks: Sequence[FileCheck], jobs: int, on_found: Callable[[Finding], None]
) -> AsyncGenerator[Finding, None]:
    """Every finding, in the order of the files and of the theorems in them.

    Closing the iterator early ends what runs.

    Args:
        leases: where Lean processes come from.
        checks: one for each file.
        jobs: files in work at a time.
        on_found: told every finding as soon as it is there, in any order.
    """
    queues: list[_Queue] = [asyncio.Queue() for _ in checks]
    limit = asyncio.Semaphore(jobs)
    running = [
        asyncio.create_task(_one(leases, check, queue, limit, on_found), name="check a file")
        for check, queue in zip(checks, queues, strict=True)
    ]
    try:
        for task, queue in zip(running, queues, strict=True):
            while (finding := await queue.get()) is not None:
                yield finding
            await task
    finally:
        await end(*running)


async def _one(
    leases: Leases,
    check: FileCheck,
    queue: _Queue,
    limit: asyncio.Semaphore,
    on_found: Callable[[Finding], None],
) -> None:
    """One file to its end, through as many Lean processes as it takes."""
    loop = asyncio.get_running_loop()

    def _tell(finding: Finding) -> None:
        on_found(finding)
        queue.put_nowait(finding)

    def _report(finding: Finding) -> None:
        loop.call_soon_threadsafe(_tell, finding)

    try:
        async with limit:
            while not check.done:
                try:
                    await leases.use(lambda session: check.work(session, _report))
                except LeanFailureError as error:
                    check.give_up(_tell, f"no Lean process can be had: {error}")
    finally:
        queue.put_nowait(None)
