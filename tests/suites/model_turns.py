"""A process that takes a turn of a model and keeps it: `model_turns.py URL`; for tests."""

import asyncio
import sys

from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.llm.opening import open_turns
from ragsolver_runtime.llm.settings import ModelSettings

ONE = ModelSettings(provider="echo", concurrency=1)


async def _hold(url: str) -> None:
    client = await connect(BusSettings(url=url), "model turns")
    async with open_turns(client, ONE).turn():
        sys.stdout.write("held\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_hold(sys.argv[1]))
