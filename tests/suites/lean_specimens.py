"""Reading the files of `lean_project/zoo` and `lean_project/garden`."""

from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "lean_project"


@dataclass(frozen=True)
class Specimen:
    """One file: a whole text that claims to prove a statement, and what must be said of it."""

    name: str
    header: str
    statement: str
    expect: str
    """`accepted`, `rejected <reason>`, `inconclusive <reason>` or `failure`.

    Where an attack on the process may end in two ways: both, with `or` between them.
    """
    text: str
    seconds: float
    """Wall-clock limit of its check."""


def specimens(folder: str) -> list[Specimen]:
    """Every file of `zoo` or `garden`, in order of names."""
    return [read(path) for path in sorted((ROOT / folder).glob("*.lean"))]


def read(path: Path) -> Specimen:
    """One file; its first lines are comments `-- field: value`; a field may have several lines."""
    text = path.read_text(encoding="utf-8")
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("-- "):
            break
        name, colon, value = line.removeprefix("-- ").partition(": ")
        if colon:
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
    return Specimen(
        path.stem,
        fields.get("header", ""),
        fields["statement"],
        fields["expect"],
        text,
        float(fields.get("seconds", "40")),
    )


def parametrized(folder: str) -> pytest.MarkDecorator:
    """`pytest.mark.parametrize` over a folder's files."""
    found = specimens(folder)
    return pytest.mark.parametrize("specimen", found, ids=[item.name for item in found])
