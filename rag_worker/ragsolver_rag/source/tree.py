"""A source tree of Lean: which files belong to it, and what it says of itself."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ragsolver_rag.corpus import CorpusError

_LEFT_OUT = frozenset({".lake", "lake-packages", ".git", "build"})
_LEAN_LIB = re.compile(r"(@\[default_target\]\s*)?^lean_lib\s+«?([\w.]+)»?", re.MULTILINE)
_LICENSES = (("Apache License", "Apache-2.0"), ("MIT License", "MIT"), ("BSD", "BSD"))
_TOOLCHAIN = re.compile(r"v?([0-9][\w.+-]*)\s*$")


@dataclass(frozen=True)
class SourceTree:
    """A folder of Lean files."""

    root: Path
    title: str
    lean_version: str
    """As its toolchain file says; empty where there is none."""
    license: str
    """SPDX identifier where the license file is a known one, else empty."""
    files: tuple[Path, ...]
    """Sorted."""

    def module(self, file: Path) -> str:
        """The module that a file is: `Mathlib/Order/Lattice.lean` is `Mathlib.Order.Lattice`."""
        return ".".join(file.relative_to(self.root).with_suffix("").parts)

    @property
    def roots(self) -> list[Path]:
        """The folder itself, and those of packages that lie in it."""
        packages = self.root / ".lake" / "packages"
        inner = sorted(p for p in packages.iterdir() if p.is_dir()) if packages.is_dir() else []
        return [self.root, *inner]


def find_tree(path: Path, libraries: Sequence[str] = ()) -> SourceTree:
    """The source tree in a folder.

    Args:
        path: a Lake project, or any folder with Lean files below it.
        libraries: top modules to read; none: those that the project builds by default.

    Raises:
        CorpusError: there is no such folder, or no Lean file in it.
    """
    if not path.is_dir():
        raise CorpusError(f"{path} is no folder: name a Lake project or a folder of Lean files")
    root = path.resolve()
    names, wanted = _described(root)
    wanted = list(libraries) or wanted
    missing = [name for name in libraries if not _files(root, [name])]
    if missing:
        raise CorpusError(f"{path} has no library {missing[0]!r}: no such file and no such folder")
    files = _files(root, wanted) if wanted else ()
    files = files or tuple(f for f in sorted(root.rglob("*.lean")) if _belongs(f, root))
    if not files:
        raise CorpusError(f"no Lean file below {path}: name the folder that holds the library")
    title = names or (wanted[0] if wanted else root.name)
    return SourceTree(root, title, _lean_version(root), _license(root), files)


def _described(root: Path) -> tuple[str, list[str]]:
    """Name of the project and the libraries that it builds by default."""
    try:
        if (root / "lakefile.toml").is_file():
            said = tomllib.loads((root / "lakefile.toml").read_text("utf-8"))
            libraries = [lib["name"] for lib in said.get("lean_lib", []) if "name" in lib]
            default = [name for name in said.get("defaultTargets", []) if name in libraries]
            return str(said.get("name", "")), default or libraries
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CorpusError(f"{root / 'lakefile.toml'} cannot be read: {error}") from error
    script = root / "lakefile.lean"
    if not script.is_file():
        return "", []
    text = script.read_text("utf-8", errors="replace")
    found = _LEAN_LIB.findall(text)
    default = [name for marked, name in found if marked]
    return "", default or [name for _, name in found]


def _files(root: Path, libraries: Sequence[str]) -> tuple[Path, ...]:
    found: set[Path] = set()
    for name in libraries:
        base = root.joinpath(*name.split("."))
        if base.with_suffix(".lean").is_file():
            found.add(base.with_suffix(".lean"))
        if base.is_dir():
            found.update(f for f in base.rglob("*.lean") if _belongs(f, root))
    return tuple(sorted(found))


def _belongs(file: Path, root: Path) -> bool:
    inner = file.relative_to(root).parts
    return not _LEFT_OUT & set(inner) and inner[-1] != "lakefile.lean"


def _lean_version(root: Path) -> str:
    try:
        said = _TOOLCHAIN.search((root / "lean-toolchain").read_text("utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return ""
    return said[1] if said else ""


def _license(root: Path) -> str:
    for name in ("LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"):
        if (root / name).is_file():
            text = (root / name).read_text("utf-8", errors="replace")[:2000]
            return next((spdx for words, spdx in _LICENSES if words in text), "")
    return ""
