"""Importing the product does nothing but define names."""

import json
import os
import subprocess
import sys

import pytest

from meta.house import PACKAGES, source_modules

HEAVY = ("anthropic", "torch", "lancedb", "sentence_transformers", "transformers", "lean_interact")
"""What costs seconds to import, and is therefore imported where it is used."""

PROBE = """
import importlib, json, os, sys

acts = []
quiet = False

def watch(event, args):
    if quiet:
        return
    if event == "os.putenv" and args[0].startswith(b"OPENBLAS"):
        return  # numpy, while it loads its own library
    if event in {"socket.connect", "socket.bind", "subprocess.Popen", "os.mkdir", "os.remove",
                 "os.system", "os.putenv", "os.kill"}:
        acts.append(f"{module}: {event} {args[:1]}")
    elif event == "open":
        path, mode = args[0], args[1]
        if isinstance(mode, str) and set(mode) & set("wax+"):
            acts.append(f"{module}: writes {path}")

sys.addaudithook(watch)
for module in json.loads(sys.argv[1]):
    importlib.import_module(module)
quiet = True
heavy = sorted(set(json.loads(sys.argv[2])) & set(sys.modules))
print(json.dumps({"acts": acts, "heavy": heavy}), file=sys.__stderr__)
"""


def _probe(modules, tmp_path):
    """Import modules in a fresh interpreter with an empty home and working folder."""
    arguments = [json.dumps(modules), json.dumps(HEAVY)]
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", PROBE, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()
    assert done.stdout == "", "an import printed something"
    assert said[:-1] == [], "an import printed something"
    assert list(tmp_path.iterdir()) == [], "an import left files behind"
    return json.loads(said[-1])


@pytest.mark.timeout(150)
@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_imports_have_no_side_effects(package, tmp_path):
    names = [name for name in source_modules() if name.split(".")[0] == package]
    modules = [name for name in names if not name.endswith("__main__")]
    assert _probe(modules, tmp_path)["acts"] == []


@pytest.mark.timeout(150)
def test_the_command_line_starts_without_the_heavy_libraries(tmp_path):
    assert _probe(["ragsolver_runtime.cli.main"], tmp_path)["heavy"] == []


def test_contracts_import_without_any_extra(tmp_path):
    """What other programs build on needs pydantic and nothing else."""
    names = [name for name in source_modules() if name.startswith("ragsolver_contracts")]
    found = _probe(names, tmp_path)
    assert found["heavy"] == []
