"""What of the Lean toolchains is there; quick, because it starts no Lean."""

from collections.abc import Sequence

from ragsolver_runtime.doctor import Finding, tier_finding
from ragsolver_runtime.paths import resource_dir
from ragsolver_verifier.embedded import embedded_containment
from ragsolver_verifier.isolation import IsolationPolicy
from ragsolver_verifier.sandbox import REMEDY
from ragsolver_verifier.tiers import lacking
from ragsolver_verifier.toolchain.errors import ToolchainMissing
from ragsolver_verifier.toolchain.locate import find_compiled, install_folder, locate
from ragsolver_verifier.toolchain.native import find_program, locate_native, why_not_native
from ragsolver_verifier.toolchain.node import node_path

_FIX = "ragsolver lean install"
_SETUP = ("lean", "install")
_ORDER = 10


def findings() -> Sequence[Finding]:
    """Node, the toolchain, the checker compiled for it, the native one, and isolation."""
    return [_node(), _toolchain(), _native(), _replayed(), *_isolation()]


def _native() -> Finding:
    """The native toolchain: what it would give where it is absent, which is no fault."""
    found = locate_native()
    if found is not None:
        detail = f"{found.lean_version} with Mathlib {found.mathlib[:12]} in {found.project}"
        version = f"{found.lean_version} {found.digest[:8]}"
        return Finding("lean native", "ok", detail, order=_ORDER, version=version)
    elan = find_program("elan")
    tool = f"elan is {elan}" if elan else "elan is not installed either"
    detail = (
        f"optional, for problems that need Mathlib and for the tier `replayed`; "
        f"{why_not_native()}; {tool}. To have it: {_FIX} --native"
    )
    return Finding("lean native", "note", detail, f"{_FIX} --native", order=_ORDER)


def _replayed() -> Finding:
    """Whether the tier `replayed` can be had; a run that asks for it is refused otherwise."""
    missing = lacking("replayed")
    if missing:
        return Finding(tier_finding("replayed"), "note", missing, order=_ORDER)
    return Finding(tier_finding("replayed"), "ok", "leanchecker is there", order=_ORDER)


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


def _isolation() -> list[Finding]:
    """What untrusted Lean is kept in by default; nothing to say before there is a Lean."""
    found = locate()
    if found is None:
        return []
    checker = resource_dir("lean_project") / "Checker.lean"
    try:
        kept = embedded_containment(found, checker, IsolationPolicy.CONTAINED).isolation
    except ToolchainMissing:
        return []
    layers = ", ".join(str(layer) for layer in kept.layers)
    detail = f"{layers}; {kept.detail}"
    if kept.sandboxed:
        return [Finding("isolation", "ok", detail, order=_ORDER)]
    return [Finding("isolation", "note", detail, REMEDY, order=_ORDER)]
