"""A worker process for tests: takes a delivery and sleeps; `sleepy_worker.py URL`."""

import asyncio
import sys

from ragsolver_contracts.events_llm import LlmReserved
from ragsolver_runtime.app import run_worker
from ragsolver_runtime.testing import app_settings, scripted_worker


async def sleep(context, case, trigger):
    """Never decide."""
    await asyncio.sleep(600)


if __name__ == "__main__":
    spec = scripted_worker(sleep, role="sleepy", emits=(LlmReserved,), ack_wait_s=2.0)
    sys.exit(asyncio.run(run_worker(spec, app_settings(sys.argv[1], drain_s=0.3))))
