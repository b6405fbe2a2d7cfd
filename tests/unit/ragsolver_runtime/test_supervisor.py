import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ragsolver_runtime.supervisor import (
    ChildSpec,
    Supervisor,
    SupervisorSettings,
    WorkerDiedError,
    ending,
    log_tail,
    put_aside,
)

SLEEP = "import time; time.sleep(60)"
QUICK = SupervisorSettings(first_delay_s=0.01, max_delay_s=0.05, max_short_lives=3, grace_s=5.0)


def child(tmp_path: Path, code: str, name: str = "sleeper-1") -> ChildSpec:
    return ChildSpec(name, (sys.executable, "-c", code), tmp_path / "logs" / f"{name}.log")


async def until(condition) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - the condition is the world outside
            await asyncio.sleep(0.02)


async def test_a_killed_child_is_started_again(tmp_path: Path) -> None:
    async with Supervisor([child(tmp_path, SLEEP)], QUICK) as supervisor:
        first = supervisor.pids["sleeper-1"]
        os.kill(first, signal.SIGKILL)
        await until(lambda: supervisor.pids.get("sleeper-1", first) != first)
        second = supervisor.pids["sleeper-1"]
        assert supervisor.restarts == {"sleeper-1": 1}
    assert not psutil.pid_exists(second)


async def test_leaving_the_block_stops_children_and_what_they_started(tmp_path: Path) -> None:
    note = tmp_path / "grandchild"
    code = (
        "import subprocess, sys, pathlib, time\n"
        "import signal; signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
        f"p = subprocess.Popen([sys.executable, '-c', {SLEEP!r}])\n"
        f"pathlib.Path({str(note)!r}).write_text(str(p.pid))\n"
        "time.sleep(60)\n"
    )
    async with Supervisor([child(tmp_path, code)], QUICK) as supervisor:
        await until(lambda: note.exists() and note.read_text())
        pids = [supervisor.pids["sleeper-1"], int(note.read_text())]
    await until(lambda: not any(_lives(pid) for pid in pids))


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def test_a_child_that_dies_at_once_is_a_failure_with_the_end_of_its_log(
    tmp_path: Path,
) -> None:
    broken = child(tmp_path, "import sys; sys.exit('no such index')", "retriever-1")
    async with Supervisor([broken, child(tmp_path, SLEEP)], QUICK) as supervisor:
        with pytest.raises(WorkerDiedError, match=r"retriever-1 ended 4 times[\s\S]*no such ind"):
            await supervisor.wait_failed()


async def test_wrong_settings_are_not_tried_again(tmp_path: Path) -> None:
    wrong = child(tmp_path, "import sys; print('no such key'); sys.exit(2)", "critic-1")
    async with Supervisor([wrong], QUICK) as supervisor:
        with pytest.raises(WorkerDiedError, match=r"critic-1 ended \(exit code 2\)[\s\S]*no su"):
            await supervisor.wait_failed()
        assert supervisor.restarts == {}


async def test_a_child_that_ignores_the_stop_is_killed(tmp_path: Path) -> None:
    note = tmp_path / "deaf"
    code = (
        "import signal, time, pathlib\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"pathlib.Path({str(note)!r}).write_text('up')\n"
        "time.sleep(60)\n"
    )
    settings = SupervisorSettings(grace_s=0.2)
    async with Supervisor([child(tmp_path, code)], settings) as supervisor:
        await until(note.exists)
        pid = supervisor.pids["sleeper-1"]
    assert not psutil.pid_exists(pid)


def test_names_are_unique(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="same name"):
        Supervisor([child(tmp_path, SLEEP), child(tmp_path, SLEEP)])


def test_ending_in_words() -> None:
    assert ending(-9) == "signal 9"
    assert ending(3) == "exit code 3"


def test_log_tail_of_a_missing_and_a_long_log(tmp_path: Path) -> None:
    assert "no log" in log_tail(tmp_path / "none")
    log = tmp_path / "long.log"
    log.write_text("\n".join(f"line {n}" for n in range(5_000)))
    assert log_tail(log, 2) == "    line 4998\n    line 4999"


@pytest.mark.parametrize("given", [None, {"KEY": "secret", "OTHER": "here"}])
async def test_a_child_gets_the_environment_without_what_is_withheld(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: dict[str, str] | None
) -> None:
    monkeypatch.setenv("KEY", "secret")
    monkeypatch.setenv("OTHER", "here")
    code = (
        f"import os, time; print(os.environ.get('KEY'), os.environ['OTHER'], flush=True); {SLEEP}"
    )
    told, bare = child(tmp_path, code, "told"), child(tmp_path, code, "bare")
    bare = replace(bare, withheld=("KEY",))
    async with Supervisor([told, bare], QUICK, env=given):
        await until(lambda: told.log.read_text() and bare.log.read_text())
    assert told.log.read_text() == "secret here\n"
    assert bare.log.read_text() == "None here\n"


def test_a_log_that_grew_too_large_is_put_aside(tmp_path):
    log = tmp_path / "critic-1.log"
    put_aside(log, 10)
    log.write_text("x" * 10)
    put_aside(log, 10)
    assert log.exists()
    log.write_text("y" * 11)
    put_aside(log, 10)
    assert not log.exists()
    assert (tmp_path / "critic-1.log.1").read_text() == "y" * 11
