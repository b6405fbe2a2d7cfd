"""Hostile code tries to get out of every layer, and canaries outside tell whether it did."""

import json
import os
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from ragsolver_contracts.lean import IsolationLayer
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.embedded import embedded_containment, node_view
from ragsolver_verifier.errors import IsolationError, LimitExceededError
from ragsolver_verifier.isolation import Containment, IsolationPolicy
from ragsolver_verifier.sandbox import (
    DEVICES,
    Sandbox,
    View,
    find_sandbox,
    require_confined,
    shared_libraries,
    try_sandbox,
)
from ragsolver_verifier.session import LeanProcess, Program
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import (
    EmbeddedToolchain,
    clean_environment,
    locate,
    program_argv,
    run_program,
)
from ragsolver_verifier.toolchain.node import node_path
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.toolchain.repl_layout import repl_layout
from ragsolver_verifier.tree import tree
from suites.scripted_lean import TOOLCHAIN

pytestmark = [pytest.mark.connected, pytest.mark.timeout(600)]

HERE = Path(__file__).parent
HOSTILE = HERE / "Hostile.lean"
LIMIT_S = 240.0
SPIN = "console.log('up'); for (;;);"


@pytest.fixture(scope="module")
def node() -> Path:
    try:
        return node_path()
    except ToolchainMissing as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def sandbox(node: Path) -> Sandbox:
    try:
        found = find_sandbox()
        view = View((node, *shared_libraries(node)))
        try_sandbox(found, view, [str(node), "--version"])
    except IsolationError as error:
        pytest.skip(str(error))
    return found


@pytest.fixture(scope="module")
def toolchain() -> EmbeddedToolchain:
    found = locate()
    if found is None:
        pytest.skip("the embedded Lean toolchain is missing: run `ragsolver lean install`")
    return found


@pytest.fixture(scope="module")
def hostile(toolchain: EmbeddedToolchain) -> EmbeddedToolchain:
    compile_program(toolchain, HOSTILE, resource_dir("lean_project") / "Loader.lean")
    return toolchain


class Host:
    """A folder with canaries, and sockets that count who connects."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connected: list[str] = []
        for name in ("secret.txt", "doomed.txt"):
            (folder / name).write_text("secret\n")
        self._sockets = [
            self._listen("network", socket.AF_INET, ("127.0.0.1", 0)),
            self._listen("file", socket.AF_UNIX, str(folder / "socket")),
        ]
        self.port = self._sockets[0].getsockname()[1]

    def _listen(self, name: str, family: int, address: object) -> socket.socket:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.bind(address)
        listener.listen()
        threading.Thread(target=self._accept, args=(name, listener), daemon=True).start()
        return listener

    def _accept(self, name: str, listener: socket.socket) -> None:
        while True:
            try:
                accepted, _ = listener.accept()
            except OSError:
                return
            self.connected.append(name)
            accepted.close()

    def untouched(self) -> bool:
        left = {path.name: path.stat().st_size for path in self.folder.iterdir()}
        return left == {"secret.txt": 7, "doomed.txt": 7, "socket": 0} and not self.connected

    def close(self) -> None:
        for listener in self._sockets:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    # Short, because the name of a socket may have no more than 107 bytes.
    folder = tmp_path / "h"
    folder.mkdir()
    made = Host(folder)
    yield made
    made.close()


# What embedded Lean is kept from, by WebAssembly alone and in the sandbox as well.


@pytest.mark.parametrize("policy", [IsolationPolicy.OFF, IsolationPolicy.SANDBOXED])
def test_lean_reaches_nothing_of_the_machine(
    hostile: EmbeddedToolchain,
    host: Host,
    policy: IsolationPolicy,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if policy is IsolationPolicy.SANDBOXED:
        request.getfixturevalue("sandbox")
    monkeypatch.setenv("SECRET", "x")
    monkeypatch.chdir(host.folder)
    kept = embedded_containment(hostile, HOSTILE, policy)
    argv = program_argv(hostile, HOSTILE, ["files", str(host.folder), str(os.getpid())])
    before = _files("/tmp", "/dev/shm")  # noqa: S108 - where an attack would write
    result = run_group([*kept.prefix, *argv], timeout_s=LIMIT_S)
    records = result.stdout.decode().split("\x1e")[:-1]
    said = dict(record.split(" | ", 1) for record in records)
    assert said.pop("end") == "reached", result.stderr.decode(errors="replace")
    in_memory = {"write here", "write temporary", "write shared memory", "list root", "list home"}
    for what in said.keys() - in_memory:
        assert said[what].startswith("refused: ") or said[what] == "unset", what
    assert len(said) == 19
    assert said["list root"].split()[1:] == ["tmp", "home", "dev", "proc", *KNOWN]
    assert said["list home"] == "seen: web_user"
    assert host.untouched()
    assert "hostile.txt" not in _files("/tmp", "/dev/shm") - before  # noqa: S108


KNOWN = ["channel", "lean", "program"]


def _files(*folders: str) -> set[str]:
    there = [Path(folder) for folder in folders if Path(folder).is_dir()]
    return {path.name for folder in there for path in folder.iterdir()}


def test_lean_opens_no_socket(toolchain: EmbeddedToolchain, host: Host) -> None:
    program = HERE / "HostileSocket.lean"
    result = run_program(toolchain, program, [str(host.port)], timeout_s=LIMIT_S)
    assert result.stdout == b"start\x1e"  # then Lean ends itself: it has no sockets
    assert host.untouched()


@pytest.fixture
def attacker(
    hostile: EmbeddedToolchain, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[LeanProcess]:
    kept = embedded_containment(hostile, HOSTILE, IsolationPolicy.CONTAINED)
    with LeanProcess(_program(hostile, kept, [request.param], tmp_path), memory_mb=4_000) as made:
        # What it prints before is no answer, and its flood stops nothing.
        assert made.ask({"op": "begin"}, timeout_s=LIMIT_S) == {"own": True}
        yield made


def _program(
    toolchain: EmbeddedToolchain, kept: Containment, args: Sequence[str], folder: Path
) -> Program:
    layout = repl_layout(toolchain, HOSTILE, args=args, folder=folder, prefix=kept.prefix)
    return Program(
        layout.local_repl_path,
        layout.lake_path,
        TOOLCHAIN,
        kept.isolation,
        sandbox=kept.sandbox,
    )


@pytest.mark.parametrize(
    ("attacker", "reasons"),
    [
        ("grow", {VerdictReason.MEMORY_LIMIT}),
        ("fork", {VerdictReason.TIMEOUT, VerdictReason.MEMORY_LIMIT}),
        ("flood", {VerdictReason.OUTPUT_LIMIT}),
    ],
    indirect=["attacker"],
)
def test_what_lean_uses_is_limited(attacker: LeanProcess, reasons: set[VerdictReason]) -> None:
    members = [psutil.Process(member) for member in tree(attacker.pid)]
    cpu_s = 3.0 if VerdictReason.TIMEOUT in reasons else None
    with pytest.raises(LimitExceededError) as caught:
        attacker.ask(
            {"op": "attack"},
            timeout_s=LIMIT_S,
            cpu_s=cpu_s,
            memory_mb=int(attacker.memory_mb()) + 200,  # Lean itself gives up a little later
            output_mb=2,
        )
    assert caught.value.reason in reasons
    assert not attacker.alive
    assert not psutil.wait_procs(members, timeout=30)[1]


# What the sandbox keeps a native program from, if every other layer were broken.

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
    for left in (Path(f"/hostile-{other.pid}.txt"), Path(f"/tmp/{other.pid}-hostile.txt")):  # noqa: S108
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


def test_the_sandbox_shows_node_no_more_than_lean_needs(
    hostile: EmbeddedToolchain, node: Path
) -> None:
    view = node_view(program_argv(hostile, HOSTILE))
    home = [path for path in view.readable if path.is_dir()]
    assert home == [hostile.root]


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


def test_verdicts_can_name_the_sandbox(hostile: EmbeddedToolchain, sandbox: Sandbox) -> None:
    kept = embedded_containment(hostile, HOSTILE, IsolationPolicy.SANDBOXED)
    assert IsolationLayer.BUBBLEWRAP in kept.isolation.layers
    assert kept.isolation.detail == f"bubblewrap {sandbox.version}"
