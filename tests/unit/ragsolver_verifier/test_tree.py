import os
import subprocess
import sys
import time

import psutil
import pytest

from ragsolver_verifier import tree as module
from ragsolver_verifier.tree import kill_tree, tree, usage

PARENT = """
import subprocess, sys, time
code = "import os, time; os.setsid(); print(os.getpid(), flush=True); time.sleep(600)"
subprocess.Popen([sys.executable, "-c", code])
time.sleep(600)
"""


def ended(pid):
    """A kill takes a moment; nothing ends a process that sleeps for 600 s but a kill."""
    for _ in range(1_000):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.01)
    return False


@pytest.fixture
def family():
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        yield parent.pid, int(parent.stdout.readline())
        kill_tree(parent.pid)


def test_a_child_in_a_session_of_its_own_belongs_to_it(family):
    assert tree(family[0]) == list(family)
    used = usage(family[0])
    assert used.processes == 2
    assert used.resident_mb > usage(family[1]).resident_mb > 1
    assert used.cpu_s > 0


def test_without_the_kernels_list_the_same_is_found(family, monkeypatch):
    told = usage(family[0])
    monkeypatch.setattr(module, "_PROC", "/nowhere")
    assert tree(family[0]) == list(family)
    found = usage(family[0])
    assert found.processes == 2
    assert found.cpu_s == pytest.approx(told.cpu_s, abs=0.2)
    assert found.resident_mb == pytest.approx(told.resident_mb, rel=0.2)


def test_all_are_killed(family):
    kill_tree(family[0])
    assert ended(family[0])
    assert ended(family[1])


def test_what_outlived_its_parent_is_killed():
    code = (
        "import os; os.fork() or (print(os.getpid(), flush=True), __import__('time').sleep(600))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        child = int(parent.stdout.readline())
        parent.wait()
        assert os.getsid(child) == parent.pid
        kill_tree(parent.pid)
        assert ended(child)


def test_what_is_gone_uses_nothing_and_is_killed_without_an_error():
    assert tree(2**22 - 1) == []
    assert usage(2**22 - 1).processes == 0
    kill_tree(2**22 - 1)
