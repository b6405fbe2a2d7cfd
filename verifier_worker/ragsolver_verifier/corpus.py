"""The formal corpus of the embedded toolchain, offered to whoever indexes it.

Named in the entry point group `ragsolver.corpora`, so that the index needs to know no Lean.
"""

from pathlib import Path

from ragsolver_runtime.paths import cache_dir, resource_dir
from ragsolver_verifier.toolchain.export import CORPUS, ExportProgress, export_declarations
from ragsolver_verifier.toolchain.locate import require


def embedded(progress: ExportProgress | None = None) -> Path:
    """Folder of the embedded library's declarations, exported where missing or out of date.

    Args:
        progress: called with the number of declarations so far.

    Raises:
        ToolchainMissing: the toolchain is not installed; says what to run.
        ToolchainError: the export failed.
    """
    folder = cache_dir() / "corpora" / CORPUS
    exporter = resource_dir("lean_project") / "Export.lean"
    return export_declarations(require(), folder, exporter, progress).folder
