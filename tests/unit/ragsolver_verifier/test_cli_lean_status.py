import json

import pytest
from click.testing import CliRunner

from ragsolver_verifier.cli_lean_status import status_command
from suites.native_stub import MATHLIB, built


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RAGSOLVER_CACHE", str(tmp_path))
    return tmp_path


def test_what_is_missing_names_the_command():
    result = CliRunner().invoke(status_command)
    assert result.exit_code == 0
    assert "embedded: not installed" in result.stdout
    assert "ragsolver lean install --native" in result.stdout
    assert "tier checked: available" in result.stdout
    assert "known kernel holes" not in result.stdout


def test_what_is_there_comes_with_its_known_holes(cache):
    built(cache)
    found = json.loads(CliRunner().invoke(status_command, ["--json"]).stdout)
    native = found["native"]
    assert (native["installed"], native["mathlib"]) == (True, MATHLIB)
    assert {"id", "summary", "source", "met_by"} == set(native["advisories"][0])
    assert found["tiers"]["audited"] == "available"
    assert "leanchecker" in found["tiers"]["replayed"]
    text = CliRunner().invoke(status_command).stdout
    assert "lean4-14576-nested-inductive-parameters: parametric arguments" in text
    assert "what meets it: " in text
