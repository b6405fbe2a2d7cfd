"""What of the embedded Lean toolchain is there; quick, because it only looks at files."""

from collections.abc import Sequence

from ragsolver_runtime.doctor import Finding
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import find_compiled, install_folder, locate
from ragsolver_verifier.toolchain.node import node_path

_FIX = "ragsolver lean install"
_SETUP = ("lean", "install")
_ORDER = 10


def findings() -> Sequence[Finding]:
    """Node, the toolchain, and the checker compiled for it."""
    return [_node(), _toolchain()]


def _node() -> Finding:
    try:
        return Finding("node", "ok", str(node_path()), order=_ORDER)
    except ToolchainMissing as error:
        fix = "pip install 'ragsolver[verifier]'"
        return Finding("node", "missing", str(error), fix, order=5)


def _toolchain() -> Finding:
    found = locate()
    if found is None:
        detail = f"not in {install_folder()}"
        return Finding("lean", "missing", detail, _FIX, _SETUP, order=_ORDER)
    if find_compiled(found, resource_dir("lean_project") / "Checker.lean") is None:
        detail = "the checker is not compiled for this toolchain"
        return Finding("lean", "missing", detail, _FIX, _SETUP, order=_ORDER)
    version = f"{found.lean_version} {found.digest[:8]}"
    detail = f"{found.lean_version} ({found.package}) in {found.root}"
    return Finding("lean", "ok", detail, order=_ORDER, version=version)
