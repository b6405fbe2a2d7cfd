"""What the sandbox keeps a native program from, if every other layer were broken.

The same attacks succeed outside.
"""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from ragsolver_verifier.sandbox import DEVICES, Sandbox, View, require_confined, shared_libraries
from ragsolver_verifier.toolchain.locate import clean_environment
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.tree import tree
from suites.canaries import Host

pytestmark = [pytest.mark.connected, pytest.mark.timeout(120)]

HERE = Path(__file__).parent
SPIN = "console.log('up'); for (;;);"
ALL = {
    "write host",
    "write temporary",
    "write root",
    "write itself",
    "remove host",
    "read host",
    "read passwd",
    "list host",
    "read environment of another",
    "signal another",
    "read variable",
    "spawn",
    "connect by network",
    "connect by file",
}


@pytest.fixture
def script(tmp_path: Path) -> Path:
    copy = tmp_path / "attack.js"
    copy.write_text((HERE / "attack.js").read_text("utf-8"), "utf-8")
    return copy


def _succeeded(command: Sequence[str], script: Path, host: Host) -> set[str]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        argv = [*command, str(script), str(host.folder), str(host.port), str(other.pid)]
        environment = {**clean_environment(), "SECRET": "x"}
        result = run_group(argv, timeout_s=60, env=environment)
        other.kill()
    for left in (Path(f"/hostile-{other.pid}.txt"), Path("/", "tmp", f"{other.pid}-hostile.txt")):
        left.unlink(missing_ok=True)
    assert result.stdout, result.stderr.decode(errors="replace")
    return set(json.loads(result.stdout))


def test_outside_every_attack_succeeds(node: Path, script: Path, host: Host) -> None:
    reached = _succeeded([str(node)], script, host)
    root = {"write root"} if os.geteuid() == 0 else set()
    assert reached == ALL - {"write root"} | root
    assert not host.untouched()


@pytest.mark.parametrize("more", [{}, {"proc": True, "devices": DEVICES}])
def test_in_the_sandbox_none_does(
    node: Path, sandbox: Sandbox, script: Path, host: Host, more: dict[str, object]
) -> None:
    view = View((node, *shared_libraries(node), script), **more)  # type: ignore[arg-type]
    assert _succeeded([*sandbox.prefix(view), str(node)], script, host) == set()
    assert host.untouched()
    assert "changed" not in script.read_text("utf-8").rpartition("console")[2]


def test_node_alone_keeps_files_and_programs_but_not_the_network(
    node: Path, script: Path, host: Host
) -> None:
    command = [str(node), "--permission", "--allow-worker", f"--allow-fs-read={script}"]
    reached = _succeeded(command, script, host)
    assert reached <= {"signal another", "read variable", "connect by network", "connect by file"}
    host.connected.clear()
    assert host.untouched()


def test_what_is_in_the_sandbox_dies_with_who_started_it(node: Path, sandbox: Sandbox) -> None:
    prefix = sandbox.prefix(View((node, *shared_libraries(node))))
    parent = """
import subprocess, sys
made = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, start_new_session=True)
made.stdout.readline()
print(made.pid, flush=True)
made.wait()
"""
    argv = [sys.executable, "-c", parent, *prefix, str(node), "-e", SPIN]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        pid = int(started.stdout.readline())
        members = [psutil.Process(member) for member in tree(pid)]
        require_confined(pid, sandbox.executable)
        assert len(members) == 3
        started.kill()
        started.wait()
        assert not psutil.wait_procs(members, timeout=30)[1]


def test_open_descriptors_reach_into_the_sandbox(node: Path, sandbox: Sandbox) -> None:
    view = View((node, *shared_libraries(node)), {"GIVEN": "é"}, proc=True, devices=DEVICES)
    code = (
        "const fs = require('fs'); const asked = fs.readFileSync('/dev/fd/3', 'utf8');"
        "fs.writeFileSync('/dev/fd/4', asked + Object.keys(process.env) + process.env.GIVEN)"
    )
    shell = 'exec 3<&0 4>&1 </dev/null 1>&2; exec "$@"'
    word = uuid.uuid4().hex
    done = subprocess.run(
        ["/bin/sh", "-c", shell, "sh", *sandbox.prefix(view), str(node), "-e", code],
        input=word.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == f"{word}GIVEN,PWDé"
