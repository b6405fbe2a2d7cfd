"""Where things stand and how big they may be."""

import ast
import re
from pathlib import Path

import pytest

from meta.house import PACKAGES, ROOT, all_files, relative, source_modules, tree

MODULE_LINES = 300
MODULE_LINES_HARD = 330
FUNCTION_LINES = 50

WITHOUT_MIRROR: dict[str, str] = {}
"""Modules without a unit test of their own, each with its reason. This list only shrinks."""

TESTS_OF_NO_MODULE: dict[str, str] = {}
"""Unit test files that mirror no module, each with its reason. This list only shrinks."""

LONG_FILES: dict[str, str] = {}
"""Files above the hard limit, each with its reason. This list only shrinks."""

FORBIDDEN_WORDS = ("manager", "helper", "util", "utils", "common")


def _mirror(module: str, path: Path) -> str:
    package, folder = next(item for item in PACKAGES.items() if path.is_relative_to(item[1]))
    inner = path.relative_to(folder)
    return f"tests/unit/{package}/{inner.parent.as_posix()}/test_{inner.name}".replace("/./", "/")


def _mirrored_sources() -> dict[str, str]:
    return {
        _mirror(module, path): module
        for module, path in source_modules().items()
        if path.name not in {"__init__.py", "__main__.py"}
    }


def test_every_module_has_its_test_file():
    missing = [
        f"{module}: {mirror}"
        for mirror, module in _mirrored_sources().items()
        if module not in WITHOUT_MIRROR and not (ROOT / mirror).is_file()
    ]
    assert not missing, "modules without the unit test file that mirrors them:\n" + "\n".join(
        missing
    )


def test_every_unit_test_file_mirrors_a_module():
    mirrors = _mirrored_sources()
    stray = [
        relative(path)
        for path in sorted((ROOT / "tests" / "unit").rglob("test_*.py"))
        if relative(path) not in mirrors and relative(path) not in TESTS_OF_NO_MODULE
    ]
    assert not stray, f"unit tests that mirror no module: {stray}"


def test_mirror_exceptions_are_still_needed():
    mirrors = _mirrored_sources()
    kept = {module for mirror, module in mirrors.items() if not (ROOT / mirror).is_file()}
    assert set(WITHOUT_MIRROR) <= kept, "take these out of WITHOUT_MIRROR"
    assert all((ROOT / name).is_file() for name in TESTS_OF_NO_MODULE)


def test_no_package_file_directly_in_a_top_level_folder():
    """One would make the folder importable under a generic name (`agents`, `contracts`)."""
    stray = [relative(path) for path in ROOT.glob("*/__init__.py")]
    assert not stray, f"remove {stray}"


def test_no_file_is_too_long():
    long = {}
    for path in all_files(".py", ".js", ".lean"):
        with path.open(encoding="utf-8") as lines:
            count = sum(1 for _ in lines)
        if count > MODULE_LINES_HARD and relative(path) not in LONG_FILES:
            long[relative(path)] = count
    assert not long, f"split what is above {MODULE_LINES} lines: {long}"


def test_long_file_exceptions_are_still_needed():
    for name in LONG_FILES:
        lines = (ROOT / name).read_text(encoding="utf-8").count("\n")
        assert lines > MODULE_LINES_HARD, f"take {name} out of LONG_FILES"


def test_no_function_is_too_long():
    long = [
        f"{module}.{node.name}: {node.end_lineno - node.lineno + 1}"
        for module, path in source_modules().items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    assert not long, f"split what is above {FUNCTION_LINES} lines: {long}"


def test_names_say_what_a_thing_is():
    """`manager`, `helper`, `util` and `common` name nothing."""
    named = [
        name
        for module, path in source_modules().items()
        for name in [
            module.rsplit(".", 1)[-1],
            *(node.name for node in ast.walk(tree(path)) if isinstance(node, ast.ClassDef)),
        ]
        if set(re.findall(r"[A-Z]?[a-z]+", name.replace("_", " ")))
        & {*FORBIDDEN_WORDS, *(word.title() for word in FORBIDDEN_WORDS)}
    ]
    assert not named, f"rename {named}"


# The patterns are spelt so that they do not match themselves.
LEFTOVERS = {
    "a path of one machine": re.compile(r"(?<![\w.])/(?:tm[p]|wor[k]|roo[t])/|/hom[e]/[a-z]"),
    "the name of a registry's host": re.compile(
        r"pyp[i]\.org|pythonhoste[d]|registry\.npmj[s]|deb\.debia[n]\.org|download\.pytorc[h]"
    ),
    "a mark of unfinished work": re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b"),
}


@pytest.mark.parametrize("what", sorted(LEFTOVERS))
def test_nothing_was_left_over(what):
    found = []
    for path in all_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        found += [
            f"{relative(path)}:{number}"
            for number, line in enumerate(lines, 1)
            if LEFTOVERS[what].search(line)
        ]
    assert not found, f"{what}: {found[:20]}"
