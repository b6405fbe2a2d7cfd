"""Every shipped configuration loads, and what is pinned twice is pinned the same."""

import re
import tomllib

import pytest
import yaml

from meta.house import ROOT, all_files, relative
from ragsolver_runtime.config import load_run_config, load_worker_settings
from ragsolver_verifier.toolchain import pins

RUNS = sorted((ROOT / "configs" / "runs").glob("*.toml"))
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ROLES = tuple(PYPROJECT["project"]["entry-points"]["ragsolver.workers"])


def test_a_run_configuration_is_shipped():
    assert "full" in {path.stem for path in RUNS}


@pytest.mark.parametrize("path", RUNS, ids=relative)
def test_run_configurations_load(path):
    """The loader refuses unknown keys and bad values."""
    assert load_run_config(str(path)).name == path.stem


def test_worker_settings_load():
    load_worker_settings(ROOT / "configs" / "workers.toml", ROLES)


@pytest.mark.parametrize("path", sorted(all_files(".toml", ".yaml", ".yml")), ids=relative)
def test_structured_files_are_well_formed(path):
    text = path.read_text(encoding="utf-8")
    assert tomllib.loads(text) if path.suffix == ".toml" else all(yaml.safe_load_all(text))


def _pinned(requirements):
    """Versions by name; what stands behind a semicolon says for which machines."""
    plain = (line.partition(";")[0].strip() for line in requirements)
    exact = (line.split("==") for line in plain if "==" in line)
    return {re.sub(r"\[.*\]", "", name).lower(): version for name, version in exact}


def _declared():
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"].values()
    return _pinned([*project["dependencies"], *(line for extra in extras for line in extra)])


def test_constraints_agree_with_the_declared_versions():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    constraints = _pinned(lines)
    declared = _declared()
    differ = {
        name: (version, constraints.get(name))
        for name, version in declared.items()
        if constraints.get(name) != version
    }
    assert not differ, f"run `make constraints`; (pyproject.toml, constraints.txt): {differ}"


def test_constraints_name_packages_only():
    """No hosts, no paths, no editable installs, no builds of one machine."""
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.!]+", line), line
        assert not line.lower().startswith("ragsolver")


def test_every_direct_dependency_is_pinned_exactly():
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    loose = [line for line in lines if "==" not in line and not line.startswith("ragsolver[")]
    assert not loose, f"pin {loose}"


def test_the_list_of_versions_agrees_with_what_is_installed():
    versions = tomllib.loads((ROOT / "configs" / "versions.toml").read_text(encoding="utf-8"))
    assert versions["embedded_lean"] == {
        "package": pins.PACKAGE,
        "lean_version": pins.LEAN_VERSION,
        "lean_commit": pins.LEAN_COMMIT,
    }
    declared = _declared()
    assert versions["packages"] == {name: declared.get(name) for name in versions["packages"]}
