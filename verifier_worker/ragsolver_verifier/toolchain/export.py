"""Export the declarations of the embedded library for the formal corpus.

A corpus folder holds `declarations.jsonl`, one JSON object a line, and `manifest.json`,
written last, which says what it was made from. The same toolchain and the same exporter
give the same bytes, so a folder whose manifest names both is not made again.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, Final

from ragsolver_verifier.toolchain.digests import file_sha256
from ragsolver_verifier.toolchain.errors import ToolchainError
from ragsolver_verifier.toolchain.locate import (
    EmbeddedToolchain,
    clean_environment,
    program_argv,
)
from ragsolver_verifier.toolchain.process import end_group

CORPUS: Final = "embedded"
DECLARATIONS: Final = "declarations.jsonl"
MANIFEST: Final = "manifest.json"
_IMPORT: Final = "Std"
_ROOTS: Final = ("Init", "Std")
_SHARDS: Final = 2
_TIMEOUT_S: Final = 1800.0

ExportProgress = Callable[[int], None]
"""Called now and then with the number of declarations so far."""


@dataclass(frozen=True)
class ExportSummary:
    """What a corpus folder holds.

    Attributes:
        folder: the corpus folder.
        count: number of declarations.
        lean_version: version of the Lean that wrote them.
        commit: its commit.
        toolchain_digest: digest of the toolchain.
        sha256: digest of `declarations.jsonl`.
        exporter: digest of the exporter program.
        made: false when the folder was already there.
    """

    folder: Path
    count: int
    lean_version: str
    commit: str
    toolchain_digest: str
    sha256: str
    exporter: str
    made: bool


def export_declarations(
    toolchain: EmbeddedToolchain,
    folder: Path,
    exporter: Path,
    progress: ExportProgress | None = None,
) -> ExportSummary:
    """Write a corpus folder, or find it written before.

    Args:
        toolchain: the toolchain whose library is exported.
        folder: the corpus folder.
        exporter: the exporter program, `lean_project/Export.lean`.
        progress: called with the number of declarations so far.

    Raises:
        ToolchainError: the exporter ended without a whole answer, or took half an hour.
    """
    program = file_sha256(exporter)
    known = read_summary(folder)
    if (
        known is not None
        and (known.toolchain_digest, known.exporter) == (toolchain.digest, program)
        and file_sha256(folder / DECLARATIONS) == known.sha256
    ):
        return known
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".new-") as aside:
        parts = _run_shards(toolchain, exporter, Path(aside), progress or (lambda _: None))
        merged = Path(aside) / DECLARATIONS
        count = merge_parts(parts, merged)
        merged.replace(folder / DECLARATIONS)
        manifest: dict[str, Any] = {
            "corpus": CORPUS,
            "lean_version": toolchain.lean_version,
            "lean_commit": toolchain.commit,
            "toolchain_digest": toolchain.digest,
            "count": count,
            "sha256": file_sha256(folder / DECLARATIONS),
            "exporter": program,
            "package": toolchain.package,
        }
        written = Path(aside) / MANIFEST
        written.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
        written.replace(folder / MANIFEST)
    return _summary(folder, manifest, made=True)


def read_summary(folder: Path) -> ExportSummary | None:
    """Read a corpus folder's manifest; None when the folder is not whole."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        summary = _summary(folder, manifest, made=False)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return summary if (folder / DECLARATIONS).is_file() else None


def _summary(folder: Path, manifest: dict[str, Any], *, made: bool) -> ExportSummary:
    return ExportSummary(
        folder,
        int(manifest["count"]),
        manifest["lean_version"],
        manifest["lean_commit"],
        manifest["toolchain_digest"],
        manifest["sha256"],
        manifest["exporter"],
        made,
    )


def merge_parts(parts: list[Path], target: Path) -> int:
    """Join the shards' outputs, keeping the first of two declarations of one name.

    Returns:
        The number of declarations written.

    Raises:
        ToolchainError: a shard's output is not whole.
    """
    seen: set[str] = set()
    with target.open("w", encoding="utf-8") as out:
        for part in parts:
            for line in check_whole(part):
                name = json.loads(line)["name"]
                if name not in seen:
                    seen.add(name)
                    out.write(line + "\n")
    return len(seen)


def check_whole(part: Path) -> list[str]:
    """The declarations of one shard's output, whose last line must count them.

    Raises:
        ToolchainError: the count is absent or wrong.
    """
    lines = part.read_text("utf-8").split("\n")
    try:
        claimed = json.loads(lines[-2])["count"]
    except (IndexError, ValueError, KeyError, TypeError):
        claimed = None
    if claimed != len(lines) - 2 or lines[-1]:
        raise ToolchainError(
            f"the exporter's output {part.name} is not whole: {len(lines) - 1} lines, "
            f"its own count is {claimed}"
        )
    return lines[:-2]


def _run_shards(
    toolchain: EmbeddedToolchain, exporter: Path, aside: Path, progress: ExportProgress
) -> list[Path]:
    parts = [aside / f"part-{shard}.jsonl" for shard in range(_SHARDS)]
    log = aside / "stderr.txt"
    with ExitStack() as stack:
        running = []
        errors = stack.enter_context(log.open("ab"))
        for shard, part in enumerate(parts):
            args = (_IMPORT, str(shard), str(_SHARDS), *_ROOTS)
            process = subprocess.Popen(
                program_argv(toolchain, exporter, args),
                stdin=subprocess.DEVNULL,
                stdout=stack.enter_context(part.open("wb")),
                stderr=errors,
                env=clean_environment(),
                start_new_session=True,
            )
            stack.callback(end_group, process)
            running.append(process)
        deadline = monotonic() + _TIMEOUT_S
        while any(process.poll() is None for process in running):
            if monotonic() > deadline:
                raise ToolchainError(f"the exporter did not end within {_TIMEOUT_S:.0f} s")
            progress(sum(_count_lines(part) for part in parts))
            sleep(0.5)
    try:
        for part in parts:
            check_whole(part)
    except ToolchainError as error:
        words = log.read_text("utf-8", errors="replace")[-2000:]
        raise ToolchainError(f"{error}. The exporter said: {words}") from error
    return parts


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
