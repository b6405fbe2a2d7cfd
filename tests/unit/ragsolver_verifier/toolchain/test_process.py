import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ragsolver_verifier.toolchain.process import run_group


def test_output_and_exit_code_come_back() -> None:
    script = "import sys; print(sys.stdin.read().upper()); sys.exit(3)"
    result = run_group([sys.executable, "-c", script], timeout_s=30, stdin=b"abc")
    assert (result.returncode, result.stdout.strip()) == (3, b"ABC")


def test_the_environment_is_the_given_one() -> None:
    script = "import os; print('HOME' in os.environ)"
    result = run_group([sys.executable, "-c", script], timeout_s=30, env={"PATH": os.defpath})
    assert result.stdout.strip() == b"False"


def test_a_timeout_kills_the_children_too(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid_file)!r}, 'w').write(str(child.pid))\n"
        "print('started', flush=True)\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(subprocess.TimeoutExpired) as caught:
        run_group([sys.executable, "-c", script], timeout_s=5)
    assert caught.value.output.strip() == b"started"
    child = int(pid_file.read_text())
    deadline = time.monotonic() + 20
    while _runs(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(child), "the child of the killed process still runs"


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_an_exception_of_the_tick_ends_the_process(tmp_path: Path) -> None:
    # The test process may have children of other tests.
    before = {child.pid for child in psutil.Process().children()}
    pids: list[int] = []

    def tick() -> None:
        pids.extend({child.pid for child in psutil.Process().children()} - before)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_group([sys.executable, "-c", "import time; time.sleep(600)"], timeout_s=60, tick=tick)
    assert pids
    assert not any(psutil.pid_exists(pid) for pid in pids)
