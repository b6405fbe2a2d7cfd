import os
import subprocess

from ragsolver_verifier.native_program import launcher, native_program
from ragsolver_verifier.toolchain.native import require_native
from suites.native_stub import MATHLIB, built, executable


def test_it_says_what_it_is(tmp_path):
    built(tmp_path)
    program = native_program(require_native(tmp_path))
    assert program.toolchain.kind == "native"
    assert program.toolchain.mathlib == MATHLIB
    assert "lean4-14576-nested-inductive-parameters" in program.toolchain.advisories
    repl = program.repl_path / ".lake" / "build" / "bin" / "repl"
    assert os.access(repl, os.X_OK)
    assert (program.repl_path / "lean-toolchain").read_text().strip().endswith(":v4.28.0-rc1")


def test_the_sandbox_comes_before_the_checker(tmp_path):
    built(tmp_path)
    script = launcher(require_native(tmp_path), sandbox=["confine", "--strictly"])
    last = script.splitlines()[-1]
    assert last.startswith("exec env -i PATH=")
    assert "confine --strictly" in last
    assert last.index("confine") < last.index("/checker --channel /dev/fd/3 /dev/fd/4")


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
