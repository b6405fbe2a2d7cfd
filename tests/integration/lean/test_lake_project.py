"""The Lake file says nothing that the Lake of this Lean version does not know.

Lake is not in the embedded toolchain as a program, but its declarations are: every key of the file
must be a field of the structure that Lake reads it into.
"""

import tomllib

import pytest

from ragsolver_verifier.toolchain.locate import locate, run_program
from ragsolver_verifier.toolchain.native_project import LAKEFILE, project_sources

pytestmark = [pytest.mark.connected, pytest.mark.timeout(300)]

STRUCTURES = {"require": "Dependency", "lean_lib": "LeanLibConfig", "lean_exe": "LeanExeConfig"}
ELSEWHERE = {"name", "version", "defaultTargets", "rev", "git"}
"""Keys that become part of a declaration's name, of its source, or of the package itself."""
PROGRAM = """\
module
public import Lean.Environment
open Lean

partial def put (out : IO.FS.Handle) : List Name → IO Unit
  | [] => pure ()
  | n :: ns => do
    out.putStr (n.toString ++ "\\n")
    put out ns

public def main (_ : List String) : IO UInt32 := do
  let out ← IO.FS.Handle.mk "/channel/answers" .write
  let (lib, _) ← readModuleData (← findOLean `Lake.Config.LeanLibConfig)
  put out lib.constNames.toList
  let (exe, _) ← readModuleData (← findOLean `Lake.Config.LeanExeConfig)
  put out exe.constNames.toList
  let (dependency, _) ← readModuleData (← findOLean `Lake.Config.Dependency)
  put out dependency.constNames.toList
  out.flush
  return 0
"""
"""Names what the compiled modules of Lake declare, without importing them."""
NO_FIELD = "Lake.LeanExeConfig.noSuchField"


def fields():
    table = tomllib.loads(project_sources()[LAKEFILE].decode())
    assert set(table) - set(STRUCTURES) <= ELSEWHERE
    for key, structure in STRUCTURES.items():
        keys = {k for item in table[key] for k in item} - ELSEWHERE
        yield from (f"Lake.{structure}.{k}" for k in sorted(keys))


def test_every_key_is_a_field_of_lake_s_configuration(tmp_path):
    toolchain = locate()
    if toolchain is None:
        pytest.skip("the embedded Lean toolchain is missing: run `ragsolver lean install`")
    names = [*fields(), NO_FIELD]
    assert "Lake.LeanExeConfig.supportInterpreter" in names
    source = tmp_path / "Fields.lean"
    source.write_text(PROGRAM, encoding="utf-8")
    done = run_program(toolchain, source, timeout_s=200)
    known = set(done.stdout.decode().splitlines())
    assert known, done.stderr.decode()[-2000:]
    assert [name for name in names if name not in known] == [NO_FIELD]
