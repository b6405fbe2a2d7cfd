import os
import subprocess
from pathlib import Path

import pytest

from ragsolver_contracts.lean import Isolation
from ragsolver_verifier import native_program as module
from ragsolver_verifier.errors import IsolationError
from ragsolver_verifier.isolation import Containment, IsolationPolicy
from ragsolver_verifier.native_program import launcher, native_program, replay_confinement
from ragsolver_verifier.toolchain.native import require_native
from suites.native_stub import MATHLIB, built, executable


def test_it_says_what_it_is(tmp_path):
    built(tmp_path)
    program = native_program(require_native(tmp_path), policy=IsolationPolicy.OFF)
    assert program.toolchain.kind == "native"
    assert program.toolchain.mathlib == MATHLIB
    assert "lean4-14576-nested-inductive-parameters" in program.toolchain.advisories
    repl = program.repl_path / ".lake" / "build" / "bin" / "repl"
    assert os.access(repl, os.X_OK)
    assert (program.repl_path / "lean-toolchain").read_text().strip().endswith(":v4.28.0-rc1")
    assert program.isolation.layers == ()


def test_without_a_sandbox_it_does_not_start(tmp_path, monkeypatch):
    built(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(module, "shared_libraries", lambda _: (Path("/libc"),))
    with pytest.raises(IsolationError, match="install the Debian package bubblewrap"):
        native_program(require_native(tmp_path))


def test_in_the_sandbox_it_sees_the_toolchain_and_its_own_environment(tmp_path, monkeypatch):
    built(tmp_path)
    toolchain = require_native(tmp_path)
    kept = Containment(Isolation(sandboxed=True), ("/bwrap", "--"), Path("/bwrap"))
    asked = []
    monkeypatch.setattr(module, "contain", lambda *args: asked.append(args) or kept)
    monkeypatch.setattr(module, "shared_libraries", lambda _: (Path("/libc"),))
    program = native_program(toolchain)
    assert (program.isolation, program.sandbox) == (kept.isolation, kept.sandbox)
    policy, view, trial = asked[0]
    assert policy is IsolationPolicy.CONTAINED
    assert set(view.readable) == {*toolchain.readable, Path("/libc")}
    assert view.env["LEAN_SYSROOT"] == str(toolchain.sysroot)
    assert trial == (str(toolchain.sysroot / "bin" / "lean"), "--version")


def test_the_sandbox_comes_before_the_checker(tmp_path):
    built(tmp_path)
    script = launcher(require_native(tmp_path), sandbox=["confine", "--strictly"])
    last = script.splitlines()[-1]
    assert last.startswith("exec env -i PATH=")
    assert "confine --strictly" in last
    assert last.index("confine") < last.index("/checker --channel /")


def test_what_a_candidate_prints_is_no_answer_and_it_can_read_no_request(tmp_path):
    built(tmp_path)
    toolchain = require_native(tmp_path)
    executable(
        toolchain.checker,
        'read -r asked <"$2"; read -r stolen; echo forged; env >&2\n'
        'echo "got $asked$stolen" >"$3"',
    )
    log = tmp_path / "log"
    script = executable(tmp_path / "start", launcher(toolchain, log=log).removeprefix("#!/bin/sh"))
    environment = {"PATH": os.defpath, "SECRET": "value"}
    done = subprocess.run(
        [script], input=b"question\nnext\n", capture_output=True, env=environment, check=False
    )
    assert done.stdout == b"got question\n"
    assert done.stderr == b""
    assert "forged" in log.read_text()
    assert "SECRET" not in log.read_text()


def test_what_replays_a_proof_may_write_to_one_folder(tmp_path, monkeypatch):
    built(tmp_path)
    toolchain = require_native(tmp_path)
    asked = []
    kept = Containment(Isolation(sandboxed=True), ("/bwrap", "--"), Path("/bwrap"))
    monkeypatch.setattr(module, "contain", lambda *args: asked.append(args) or kept)
    monkeypatch.setattr(module, "shared_libraries", lambda _: (Path("/libc"),))
    confine = replay_confinement(toolchain, IsolationPolicy.CONTAINED)
    assert confine(tmp_path, {"LEAN_PATH": "a", "EMPTY": ""}) == ("/bwrap", "--")
    assert asked[0][1].writable == (tmp_path,)
    assert asked[0][1].env == {"LEAN_PATH": "a"}
    assert replay_confinement(toolchain, IsolationPolicy.OFF)(tmp_path, {}) == ()
