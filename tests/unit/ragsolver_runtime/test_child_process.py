import asyncio
import os
import signal
import subprocess
import sys

import pytest

from ragsolver_runtime.child_process import kill_group, spawn, stop

SLEEP = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "print('up', flush=True); time.sleep(600)",
]


async def test_a_child_ends_at_sigterm_in_a_session_of_its_own():
    child = await spawn(SLEEP, stdout=asyncio.subprocess.PIPE)
    assert await child.stdout.readline() == b"up\n"
    assert os.getpgid(child.pid) == child.pid
    assert await stop(child, grace_s=10) == -signal.SIGTERM
    assert await stop(child, grace_s=10) == -signal.SIGTERM


async def test_a_child_that_ignores_sigterm_is_killed():
    child = await spawn(STUBBORN, stdout=asyncio.subprocess.PIPE)
    await child.stdout.readline()
    assert await stop(child, grace_s=0.1) == -signal.SIGKILL


async def test_the_environment_is_what_was_given():
    child = await spawn(
        [sys.executable, "-c", "import os; print(os.environ.get('ONLY'), 'HOME' in os.environ)"],
        env={"ONLY": "this"},
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await child.communicate()
    assert output.split() == [b"this", b"False"]


def test_killing_a_group_that_is_gone_is_fine():
    done = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    done.wait()
    kill_group(done.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")
def test_a_child_dies_with_a_killed_parent():
    program = (
        "import asyncio, sys\n"
        "from ragsolver_runtime.child_process import spawn\n"
        "async def main():\n"
        "    child = await spawn([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "    print(child.pid, flush=True)\n"
        "    await child.wait()\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        child = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        _wait_until_gone(child)


def _wait_until_gone(pid):
    """An orphan is reaped by init some time after it died; a zombie counts as dead."""
    import time

    import psutil

    while psutil.pid_exists(pid):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return
        except psutil.NoSuchProcess:
            return
        time.sleep(0.01)
