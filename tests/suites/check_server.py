"""A server of check requests on a scripted Lean, for tests; `check_server.py URL [SECONDS]`.

Each candidate takes SECONDS. A candidate whose proof is `die` kills its Lean session.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ragsolver_runtime.connect import BusSettings, connect
from ragsolver_runtime.requests import RequestServer
from ragsolver_verifier.answer_check import check_service
from ragsolver_verifier.checker import Checker
from ragsolver_verifier.errors import SessionDiedError
from ragsolver_verifier.pool import SessionPool
from ragsolver_verifier.pool_settings import PoolSettings
from ragsolver_verifier.settings import VerifierSettings
from suites.scripted_lean import TOOLCHAIN, ScriptedSession, honest, wrong


@asynccontextmanager
async def scripted_checker(seconds: float = 0.0, sessions: int = 1) -> AsyncIterator[Checker]:
    """A checker whose sessions judge by the candidate's last word: `die`, `wrong`, else accept."""

    def start() -> ScriptedSession:
        def answer(request):
            if request["op"] != "check":
                return honest(request)
            until = time.monotonic() + seconds
            while time.monotonic() < until and session.alive:
                time.sleep(0.01)
            if not session.alive:
                raise SessionDiedError("the Lean process ended without an answer")
            word = request["source"].split()[-1]
            if word == "die":
                session.close()
                raise SessionDiedError("the Lean process ended without an answer")
            return wrong(request) if word == "wrong" else honest(request)

        session = ScriptedSession(answer)
        return session

    sizes = PoolSettings(sessions=sessions)
    async with SessionPool(start, lambda _: None, sizes) as pool:
        yield Checker(pool, TOOLCHAIN, statement_timeout_s=5)


@asynccontextmanager
async def check_server(
    url: str, seconds: float = 0.0, *, waiting: int = 16, drain_s: float = 5.0
) -> AsyncIterator[None]:
    """A server at work inside the block."""
    client = await connect(BusSettings(url=url), "check server")
    settings = VerifierSettings(sessions=1, checks_waiting=waiting)
    try:
        async with scripted_checker(seconds) as checker:
            service = check_service(checker, settings)
            async with RequestServer(client, service, drain_s=drain_s):
                yield
    finally:
        await client.close()


async def _run(url: str, seconds: float) -> None:
    async with check_server(url, seconds):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], float(sys.argv[2])))
