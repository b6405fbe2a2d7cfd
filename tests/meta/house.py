"""What the house rules look at: the sources, their modules and their syntax trees."""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = {
    "ragsolver_contracts": ROOT / "contracts" / "ragsolver_contracts",
    "ragsolver_runtime": ROOT / "infra" / "ragsolver_runtime",
    "ragsolver_agents": ROOT / "agents" / "ragsolver_agents",
    "ragsolver_rag": ROOT / "rag_worker" / "ragsolver_rag",
    "ragsolver_verifier": ROOT / "verifier_worker" / "ragsolver_verifier",
}
"""Folder of every import package."""

UNTRACKED = {"build", "dist", "node_modules"}
SHOWN_DOT_FOLDERS = {".ci"}


def source_modules() -> dict[str, Path]:
    """Every module of the product by dotted name; packages stand under their own name."""
    found: dict[str, Path] = {}
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = [package, *path.relative_to(folder).with_suffix("").parts]
            if parts[-1] == "__init__":
                parts.pop()
            found[".".join(parts)] = path
    return found


def all_files(*suffixes: str) -> Iterator[Path]:
    """Every file of the checkout but caches, environments and build outputs.

    Args:
        suffixes: endings to keep, for example `.py`; none keeps all.
    """
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(
            name
            for name in folders
            if name in SHOWN_DOT_FOLDERS
            or not (name.startswith((".", "__")) or name in UNTRACKED or name.endswith("egg-info"))
        )
        for name in sorted(files):
            if not suffixes or name.endswith(suffixes):
                yield Path(folder) / name


def tree(path: Path) -> ast.Module:
    """The syntax tree of one Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def relative(path: Path) -> str:
    """A path as written in the repository."""
    return path.relative_to(ROOT).as_posix()


def docstrings(module: ast.Module) -> set[int]:
    """Identities of the string nodes that stand alone: docstrings, of attributes too."""
    return {
        id(node.value)
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
