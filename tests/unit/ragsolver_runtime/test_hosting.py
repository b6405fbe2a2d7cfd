import asyncio
import io
import os
import signal
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from ragsolver_runtime import hosting
from ragsolver_runtime.doctor import Finding
from ragsolver_runtime.errors import BusError, ServerError, StorageFullError
from ragsolver_runtime.hosting import (
    InterruptedRunError,
    run_interruptibly,
    set_up_parts,
    while_alive,
)
from ragsolver_runtime.supervisor import WorkerDiedError
from suites.fake_bus import FakeClient


def quiet() -> Console:
    return Console(file=io.StringIO())


def missing(monkeypatch: pytest.MonkeyPatch, *found: Finding) -> None:
    monkeypatch.setattr(hosting, "missing_setups", lambda: list(found))


async def test_what_cannot_be_set_up_says_the_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, Finding("index", "missing", "no encoder", "pip install x"))
    with pytest.raises(BusError, match="index: no encoder: pip install x"):
        await set_up_parts(quiet())


async def test_a_setup_step_that_fails_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, Finding("odd", "missing", "", setup=("no-such-command",)))
    with pytest.raises(BusError, match="run `ragsolver no-such-command`"):
        await set_up_parts(quiet())


class Dying:
    """A supervisor whose worker cannot be kept alive."""

    async def wait_failed(self) -> None:
        raise WorkerDiedError("critic-1 ended")


def bus(code: int | None = None) -> Any:
    async def _wait() -> int:
        if code is None:
            await asyncio.Event().wait()
        return code or 0

    server = SimpleNamespace(wait=_wait, log_path="the.log")
    return SimpleNamespace(server=server, client=FakeClient())


async def test_a_full_stream_ends_a_run_and_not_a_service(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def _full(_: object) -> str:
        return "it is full"

    monkeypatch.setattr(hosting, "until_full", _full)
    with pytest.raises(StorageFullError, match="it is full"):
        await while_alive(for_ever(), bus(), None)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await while_alive(for_ever(), bus(), None, needs_room=False)


async def for_ever() -> None:
    await asyncio.Event().wait()


async def test_work_is_given_up_when_a_worker_cannot_live() -> None:
    with pytest.raises(WorkerDiedError, match="critic-1"):
        await while_alive(for_ever(), bus(), Dying())  # type: ignore[arg-type]


async def test_work_is_given_up_when_the_server_is_down_for_good() -> None:
    with pytest.raises(ServerError, match=r"signal 9.*the\.log"):
        await while_alive(for_ever(), bus(-9), None)


async def test_the_result_of_the_work_comes_back() -> None:
    async def _work() -> int:
        return 7

    assert await while_alive(_work(), bus(), None) == 7


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_the_work_which_cleans_up(number: signal.Signals) -> None:
    cleaned = []

    async def _work() -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.sleep(30)
        finally:
            cleaned.append(True)

    with pytest.raises(InterruptedRunError):
        run_interruptibly(_work())
    assert cleaned == [True]
