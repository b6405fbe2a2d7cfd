"""What the documents promise is there."""

import importlib
import re
import tomllib
from pathlib import Path

import click
import pytest

from meta.house import ROOT, all_files, relative

DOCUMENTS = sorted(all_files(".md"))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
COMMAND = re.compile(r"(?:`|bin/)ragsolver ([a-z]+(?:-[a-z]+)*)(?: ([a-z]+(?:-[a-z]+)*))?")
ADRS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
TOP_LEVEL = ("agents", "configs", "contracts", "docs", "infra", "lean_project", "rag_worker")


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _anchors(path: Path) -> set[str]:
    return {_anchor(line.lstrip("#")) for line in path.read_text().splitlines() if line[:1] == "#"}


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_links_resolve(path):
    broken = []
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        if not file.exists() or (anchor and anchor not in _anchors(file)):
            broken.append(target)
    assert not broken, f"{relative(path)} links to what is not there: {broken}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_make_commands_exist(path):
    named = set(re.findall(r"`make ([a-z]+)[`\s]", path.read_text(encoding="utf-8")))
    assert named <= TARGETS, f"the Makefile has no {sorted(named - TARGETS)}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_ragsolver_commands_exist(path):
    main = importlib.import_module("ragsolver_runtime.cli.main").ragsolver
    context = click.Context(main)
    for first, second in COMMAND.findall(path.read_text(encoding="utf-8")):
        command = main.get_command(context, first)
        assert command is not None, f"{relative(path)}: no command `ragsolver {first}`"
        if isinstance(command, click.Group) and second:
            assert second in command.list_commands(context), f"no `ragsolver {first} {second}`"


def test_the_two_commands_are_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in text
    assert "make test" in text


def test_ci_runs_the_readme_commands():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert {"make check", "make test"} <= {line.strip() for line in script.splitlines()}


@pytest.mark.parametrize("folder", [*TOP_LEVEL, "tests", "verifier_worker"])
def test_every_top_level_folder_says_what_it_is(folder):
    assert (ROOT / folder / "README.md").is_file()


def test_adrs_are_numbered_and_indexed():
    numbers = [int(path.name[:4]) for path in ADRS]
    assert numbers == list(range(1, len(ADRS) + 1))
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    for path in ADRS:
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert f"[{title}]({path.name})" in index, f"index {path.name} as {title!r}"


@pytest.mark.parametrize("path", ADRS, ids=lambda path: path.name)
def test_adrs_have_status_and_revisions(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^Status: (accepted|superseded by \d{4})$", text, re.M)
    assert "## Revisions" in text


def test_readme_names_every_dependency_with_its_version():
    """The table of dependencies is the one of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {
        re.sub(r"\[.*\]", "", name): version
        for extra in ("runtime", "eval", "llm", "web", "verifier", "rag")
        for requirement in [*project["dependencies"], *extras[extra]]
        if "==" in requirement
        for name, version in [requirement.split("==")]
    }
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    absent = [
        f"{name} {version}"
        for name, version in wanted.items()
        if f"| {name} | {version} |" not in readme
    ]
    assert not absent, f"not in the README's table: {absent}"
