"""Ending tasks for certain.

One `cancel()` is not enough. Up to Python 3.11 `asyncio.wait_for` swallows a cancellation that
comes in the same moment as what it waits for (bpo-37658), and the task goes on as if nothing had
happened; libraries below us use it. So our own code waits under `asyncio.timeout`, and a task that
must end is cancelled until it has.
"""

import asyncio
from typing import Any

AGAIN_S = 2.0
"""A task that has not ended so many seconds after a cancel missed it, or is cleaning up."""


async def end(*tasks: "asyncio.Future[Any]", again_s: float = AGAIN_S) -> None:
    """Cancel tasks and wait until every one of them has ended, however.

    What they raised is theirs; it is not raised here.

    Args:
        tasks: tasks or futures; those already done are left as they are.
        again_s: seconds between two cancels of the same task.
    """
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=again_s)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # looked at, so that nobody reports it as never retrieved
