"""`ragsolver lean status`: which Lean is here, what it can give, and its known holes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from ragsolver_runtime.lean_advisories import advisories_of
from ragsolver_verifier.tiers import TIERS, lacking
from ragsolver_verifier.toolchain.locate import EmbeddedToolchain, install_folder, locate
from ragsolver_verifier.toolchain.native import NativeToolchain, locate_native, why_not_native
from ragsolver_verifier.toolchain.native_project import project_folder


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def status_command(*, as_json: bool) -> None:
    """Say which toolchains are installed, the tiers they give, and the known kernel holes.

    Only looks at files: nothing is started or fetched.
    """
    found = toolchain_status()
    click.echo(json.dumps(found, indent=2) if as_json else "\n".join(_lines(found)))


def toolchain_status() -> dict[str, Any]:
    """Both toolchains, the tiers and the advisories, JSON-ready."""
    return {
        "embedded": _embedded(locate()),
        "native": _native(locate_native()),
        "tiers": {tier: lacking(tier) or "available" for tier in TIERS},
    }


def _embedded(found: EmbeddedToolchain | None) -> dict[str, Any]:
    if found is None:
        missing = f"not in {install_folder()}"
        return {"installed": False, "detail": missing, "fix": "ragsolver lean install"}
    return {
        "installed": True,
        "folder": str(found.root),
        "lean_version": found.lean_version,
        "mathlib": "",
        "digest": found.digest,
        "advisories": _advisories(found.lean_version),
    }


def _native(found: NativeToolchain | None) -> dict[str, Any]:
    if found is None:
        fix = "ragsolver lean install --native"
        return {"installed": False, "detail": why_not_native(), "fix": fix}
    return {
        "installed": True,
        "folder": str(project_folder()),
        "lean_version": found.lean_version,
        "mathlib": found.mathlib,
        "digest": found.digest,
        "advisories": _advisories(found.lean_version),
    }


def _advisories(lean_version: str) -> list[dict[str, str]]:
    return [
        {"id": a.id, "summary": a.summary, "source": a.source, "met_by": a.met_by}
        for a in advisories_of(lean_version)
    ]


def _lines(found: dict[str, Any]) -> Iterator[str]:
    advisories: dict[str, dict[str, str]] = {}
    for kind in ("embedded", "native"):
        toolchain = found[kind]
        if not toolchain["installed"]:
            yield f"{kind}: not installed ({toolchain['detail']}); {toolchain['fix']}"
            continue
        mathlib = f", Mathlib {toolchain['mathlib'][:12]}" if toolchain["mathlib"] else ""
        yield f"{kind}: Lean {toolchain['lean_version']}{mathlib} in {toolchain['folder']}"
        advisories |= {a["id"]: a for a in toolchain["advisories"]}
    for tier, state in found["tiers"].items():
        yield f"tier {tier}: {state}"
    if advisories:
        yield f"known kernel holes of these versions: {len(advisories)}"
    for advisory in advisories.values():
        yield f"  {advisory['id']}: {advisory['summary']}"
        yield f"    {advisory['source']}"
        yield f"    what meets it: {advisory['met_by']}"
