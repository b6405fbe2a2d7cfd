"""What every test file must be."""

import ast
import re

import pytest
import yaml

from meta.house import ROOT, relative, tree

TEST_FILES = sorted((ROOT / "tests").rglob("test_*.py"))
INTEGRATION = [path for path in TEST_FILES if "integration" in path.parts]
BEHAVIOUR = sorted((ROOT / "contracts" / "behaviour").glob("*.yaml"))


def _tests(path):
    """Test functions of a file by `name` and `Class::name`."""
    found = {}
    for node in tree(path).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for item in inner:
            is_function = isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)
            if is_function and item.name.startswith("test"):
                prefix = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
                found[prefix + item.name] = item
    return found


def _is_connected(node) -> bool:
    return "mark.connected" in ast.unparse(node)


@pytest.mark.parametrize("path", INTEGRATION, ids=relative)
def test_integration_tests_are_marked(path):
    """So that `-m "not connected"` runs without any real part."""
    module = tree(path)
    whole = any(
        isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "pytestmark"
        and _is_connected(node.value)
        for node in module.body
    )
    unmarked = [
        name
        for name, node in _tests(path).items()
        if not whole and not any(_is_connected(item) for item in node.decorator_list)
    ]
    assert not unmarked, f"{relative(path)}: mark {unmarked} with pytest.mark.connected"


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_every_test_file_tests_something(path):
    assert _tests(path), f"{relative(path)} has no test"


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_no_test_file_is_named_after_a_defect(path):
    """A defect is fixed once, a behaviour holds for ever; the story goes into the docstring."""
    assert not re.search(r"bug|fix|issue|phase|debug|regression", path.stem)


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_nothing_imports_from_conftest(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"^(from|import) .*conftest", text, re.MULTILINE)


@pytest.mark.parametrize("path", BEHAVIOUR, ids=relative)
def test_behaviour_contracts_are_complete_and_tested(path):
    """Every obligation and every falsification names a test function that exists."""
    contract = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert contract["piece"] == path.stem
    assert (ROOT / contract["source"]).is_file(), contract["source"]
    assert contract["formula"]
    assert contract["domain"]
    assert contract["invariants"]
    clauses = [*contract["obligations"], *contract["falsification"]]
    assert contract["obligations"]
    assert contract["falsification"]
    assert len({clause["id"] for clause in clauses}) == len(clauses), "ids repeat"
    for clause in clauses:
        file, _, function = clause["test"].partition("::")
        assert clause["statement"]
        assert (ROOT / file).is_file(), f"{clause['id']}: no file {file}"
        assert function in _tests(ROOT / file), f"{clause['id']}: no test {clause['test']}"


def test_the_pieces_whose_rules_matter_have_contracts():
    assert {path.stem for path in BEHAVIOUR} >= {"tokenize", "fuse", "fold", "cite", "budget"}
