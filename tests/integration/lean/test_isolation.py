"""Hostile Lean tries to get out, by WebAssembly alone and in the sandbox as well."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from ragsolver_contracts.lean import IsolationLayer
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.embedded import embedded_containment, node_view
from ragsolver_verifier.errors import LimitExceededError
from ragsolver_verifier.isolation import Containment, IsolationPolicy
from ragsolver_verifier.sandbox import (
    Sandbox,
)
from ragsolver_verifier.session import LeanProcess, Program
from ragsolver_verifier.toolchain.compile import compile_program
from ragsolver_verifier.toolchain.locate import (
    EmbeddedToolchain,
    locate,
    program_argv,
    run_program,
)
from ragsolver_verifier.toolchain.process import run_group
from ragsolver_verifier.toolchain.repl_layout import repl_layout
from ragsolver_verifier.tree import tree
from suites.canaries import Host
from suites.scripted_lean import TOOLCHAIN

pytestmark = [pytest.mark.connected, pytest.mark.timeout(600)]

HERE = Path(__file__).parent
HOSTILE = HERE / "Hostile.lean"
LIMIT_S = 240.0


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
    before = _files("/dev/shm", tempfile.gettempdir())  # noqa: S108 - where an attack would write
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
    assert "hostile.txt" not in _files("/dev/shm", tempfile.gettempdir()) - before  # noqa: S108


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


def test_the_sandbox_shows_node_no_more_than_lean_needs(
    hostile: EmbeddedToolchain, node: Path
) -> None:
    view = node_view(program_argv(hostile, HOSTILE))
    home = [path for path in view.readable if path.is_dir()]
    assert home == [hostile.root]


def test_verdicts_can_name_the_sandbox(hostile: EmbeddedToolchain, sandbox: Sandbox) -> None:
    kept = embedded_containment(hostile, HOSTILE, IsolationPolicy.SANDBOXED)
    assert IsolationLayer.BUBBLEWRAP in kept.isolation.layers
    assert kept.isolation.detail == f"bubblewrap {sandbox.version}"
