"""A program that speaks the REPL's framing and does what a test tells it, instead of Lean."""

import sys
from pathlib import Path

from ragsolver_verifier.session import Program
from suites.scripted_lean import TOOLCHAIN

_REPL = """#!{python}
import json, os, subprocess, sys, time
kept = []
while True:
    lines = []
    for line in sys.stdin:
        if line == "\\n":
            break
        lines.append(line)
    else:
        sys.exit()
    request = json.loads("".join(lines))
    op = request["op"]
    if op == "sleep":
        time.sleep(600)
    if op == "die":
        os._exit(1)
    if op == "grow":
        kept.append(bytearray(os.urandom(1024) * 400_000))
        time.sleep(600)
    if op == "child":
        child = subprocess.Popen([sys.executable, "-c", request["code"]])
        request["nonce"] = child.pid
        if request.get("wait"):
            child.wait()
    if op == "flood":
        while True:
            print("x" * request["width"])
    if op == "twice":
        print("{{}}\\n\\n{{}}\\n", flush=True)
        continue
    if op == "nest":
        print("[" * 100_000 + "\\n", flush=True)
        continue
    if op == "errors":
        os.write(2, b"x" * 1_000_000)
    if op == "environment":
        request["nonce"] = sorted(os.environ)
    if op == "deaf":
        print("{{}}\\n", flush=True)
        time.sleep(600)
    if op == "babble":
        print("no json\\n", flush=True)
        continue
    answer = [1] if op == "list" else {{"nonce": request.get("nonce"), "pid": os.getpid()}}
    print(json.dumps(answer) + "\\n", flush=True)
"""
_LAKE = """#!/bin/sh
case "$1" in
  --version) echo "Lake version 5.0.0 (Lean version 4.28.0)" ;;
  env) shift; exec "$@" ;;
esac
"""


def fake_program(folder: Path, program: str = _REPL) -> Program:
    """How to start the fake, or another `program`; its files are written to `folder`."""
    repl = folder / ".lake" / "build" / "bin" / "repl"
    repl.parent.mkdir(parents=True)
    repl.write_text(program.format(python=sys.executable))
    lake = folder / "lake"
    lake.write_text(_LAKE)
    for path in (repl, lake):
        path.chmod(0o755)
    (folder / "lean-toolchain").write_text("leanprover/lean4:v4.28.0\n")
    return Program(folder, lake, TOOLCHAIN)
