"""A Lean process that runs for ever ends when the process that started it is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ragsolver_verifier.toolchain.locate import locate, program_argv

pytestmark = [pytest.mark.connected, pytest.mark.timeout(240)]

ENDLESS = """module
public import Init.System.IO
partial def spin (n : Nat) : IO Nat := spin (n + 1)
public def main (_ : List String) : IO UInt32 := do
  let answers ← IO.FS.Handle.mk "/channel/answers" .write
  answers.putStr "spinning\\n"
  answers.flush
  let _ ← spin 0
  return 0
"""
PARENT = """
import json, subprocess, sys
lean = subprocess.Popen(
    json.loads(sys.argv[1]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
)
print(lean.pid, lean.stdout.readline().decode().strip(), flush=True)
lean.wait()
"""


def test_an_endless_orphan_is_ended(tmp_path: Path) -> None:
    toolchain = locate()
    if toolchain is None:
        pytest.skip("the embedded Lean toolchain is missing: run `ragsolver lean install`")
    program = tmp_path / "Endless.lean"
    program.write_text(ENDLESS, "utf-8")
    argv = json.dumps(program_argv(toolchain, program))
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, argv], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout is not None
        pid, said = parent.stdout.readline().decode().split()
        assert said == "spinning"
        lean = psutil.Process(int(pid))
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    try:
        assert _ended(lean)
    finally:
        if lean.is_running():
            os.killpg(lean.pid, signal.SIGKILL)


def _ended(process: psutil.Process) -> bool:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.2)
    return False
