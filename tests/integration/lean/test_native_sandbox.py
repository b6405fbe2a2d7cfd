"""The native launcher in the real sandbox, with a shell script in the checker's place."""

import os
import subprocess
from pathlib import Path

import pytest

from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.native_program import launcher
from ragsolver_verifier.sandbox import DEVICES, View, find_sandbox, shared_libraries, try_sandbox
from ragsolver_verifier.toolchain.native import require_native
from suites.native_stub import built, executable

pytestmark = [pytest.mark.connected, pytest.mark.timeout(60)]

SHELL = Path("/bin/sh").resolve()


def test_the_conversation_goes_through_and_nothing_else_does(tmp_path):
    built(tmp_path)
    toolchain = require_native(tmp_path)
    programs = [Path("/bin/sh"), SHELL, *shared_libraries(SHELL)]
    view = View((*toolchain.readable, *programs), {"SEEN": "yes"}, proc=True, devices=DEVICES)
    try:
        sandbox = find_sandbox()
        try_sandbox(sandbox, view, ("/bin/sh", "-c", "exit 0"))
    except IsolationError as error:
        pytest.skip(str(error))
    executable(
        toolchain.checker,
        'read -r asked <"$2"; echo forged; echo "SECRET=$SECRET SEEN=$SEEN" >&2\n'
        f'(echo written >"{tmp_path}/file") 2>/dev/null\n'
        'echo "got $asked" >"$3"',
    )
    log = tmp_path / "log"
    script = executable(
        tmp_path / "start",
        launcher(toolchain, log=log, sandbox=sandbox.prefix(view)).removeprefix("#!/bin/sh"),
    )
    done = subprocess.run(
        [script],
        input=b"question\n",
        capture_output=True,
        env={"PATH": os.defpath, "SECRET": "value"},
        check=False,
        timeout=30,
    )
    assert done.stdout == b"got question\n", log.read_text()
    assert log.read_text().split() == ["forged", "SECRET=", "SEEN=yes"]
    assert not (tmp_path / "file").exists()
