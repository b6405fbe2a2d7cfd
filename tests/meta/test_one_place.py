"""What may be spelt, called or registered in one place only."""

import ast
import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

from meta.house import PACKAGES, ROOT, docstrings, relative, source_modules, tree

SUBJECT = re.compile(r"(?:^|\s)rs\.(?:v\d+|submit|check|cancel|answer|recorded)\b")

RAW_PUBLISHERS = {
    "infra/ragsolver_runtime/publish.py": "the one place that publishes events",
    "infra/ragsolver_runtime/blobs.py": "content of the object store, no events",
    "infra/ragsolver_runtime/connect.py": "core messages: one to ourselves, as a barrier",
    "infra/ragsolver_runtime/intake.py": "core messages: answers to whoever posted an input",
    "infra/ragsolver_runtime/llm/limit_store.py": "keys of the model's limits, no events",
    "infra/ragsolver_runtime/direct_get.py": "core messages: requests of the batched direct get",
}
"""Files that may call `publish` of a NATS client, each with its reason."""

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ENTRY_POINTS = [
    (group, name, target)
    for group, table in PYPROJECT["project"]["entry-points"].items()
    for name, target in table.items()
] + [("scripts", name, target) for name, target in PYPROJECT["project"]["scripts"].items()]


def test_subjects_are_spelt_in_one_file():
    found = []
    for path in source_modules().values():
        if path.name == "subjects.py" and path.parent == PACKAGES["ragsolver_contracts"]:
            continue
        module = tree(path)
        prose = docstrings(module)
        found += [
            f"{relative(path)}:{node.lineno} {node.value[:40]!r}"
            for node in ast.walk(module)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in prose
            and SUBJECT.search(node.value)
        ]
    assert not found, f"take these from subjects.py: {found}"


def _publishes_raw(path: Path) -> bool:
    """Whether `publish` is called on anything but the runtime's own `Publisher`."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "publish"
        and not ast.unparse(node.func.value).endswith("publisher")
        for node in ast.walk(tree(path))
    )


def test_events_are_published_in_one_file():
    callers = {relative(path) for path in source_modules().values() if _publishes_raw(path)}
    assert callers - set(RAW_PUBLISHERS) == set(), "publish events through `Publisher`"


def test_publisher_exceptions_are_still_needed():
    assert all(_publishes_raw(ROOT / name) for name in RAW_PUBLISHERS)


@pytest.mark.parametrize(("group", "name", "target"), ENTRY_POINTS)
def test_entry_points_resolve(group, name, target):
    module, _, attribute = target.partition(":")
    loaded = importlib.metadata.EntryPoint(f"{name}", f"{module}:{attribute}", group).load()
    if group == "ragsolver.workers":
        assert loaded.role == name
        assert loaded.triggers
        assert loaded.emits
    else:
        assert callable(loaded)


def test_six_workers_are_listed():
    """Nothing lists workers but the entry points; DESIGN names these six roles."""
    workers = set(PYPROJECT["project"]["entry-points"]["ragsolver.workers"])
    assert workers >= {"planner", "retriever", "generator", "formalizer", "verifier", "critic"}


def test_only_the_verifier_issues_verdicts():
    """An event has one emitter role, as the table of events says."""
    emitters: dict[str, set[str]] = {}
    for group, name, target in ENTRY_POINTS:
        if group != "ragsolver.workers":
            continue
        worker = importlib.metadata.EntryPoint(name, target, group).load()
        for payload in worker.emits:
            emitters.setdefault(payload.NAME, set()).add(name)
    assert emitters["verdict_issued"] == {"verifier"}
    assert emitters["problem_solved"] == {"critic"}
    assert emitters["evidence_retrieved"] == {"retriever"}
    assert emitters["candidate_proposed"] == {"formalizer"}
