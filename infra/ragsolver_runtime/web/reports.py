"""Report folders of `eval solve` and `eval retrieval`: their tables, intervals and plots.

The tables are read from the Markdown that the evaluation wrote, so the page shows what the report
says and computes nothing again. What is served of a folder is what a listing found in it; no name
of a request becomes a path.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from ragsolver_contracts.base import Model
from ragsolver_contracts.ids import digest

_EVALUATION = ("evaluation.json", "evaluation.md")
_RETRIEVAL = ("report.json", "report.md")
_DEPTH = 3
_MOST = 200
_PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}
_LARGEST = 20_000_000


class Interval(Model):
    """A share with its 95 % interval, each between 0 and 1."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


class Block(Model):
    """A piece of a report."""

    kind: Literal["text", "list", "table"]
    lines: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Section(Model):
    """What stands under one heading."""

    title: str
    blocks: tuple[Block, ...]


class ReportLine(Model):
    """One report in a list."""

    report: str
    """Its id in links."""
    kind: Literal["solving", "retrieval"]
    name: str
    """Folder, as a reader named it."""
    title: str
    pictures: tuple[str, ...]


class ShownReport(Model):
    """One report."""

    line: ReportLine
    measure: str
    intervals: tuple[Interval, ...]
    sections: tuple[Section, ...]


class ReportFolders:
    """The reports below some folders."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = tuple(roots)

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders, for people to see."""
        return tuple(str(root) for root in self._roots)

    def listed(self) -> tuple[ReportLine, ...]:
        """Every report that is there now."""
        return tuple(line for line, _ in self._found())

    def report(self, wanted: str) -> ShownReport | None:
        """One report; none where there is no such one or it cannot be read."""
        for line, folder in self._found():
            if line.report == wanted:
                return _shown(line, folder)
        return None

    def picture(self, wanted: str, name: str) -> tuple[bytes, str] | None:
        """One plot with its media type; none where the report has no such one."""
        for line, folder in self._found():
            if line.report == wanted and name in line.pictures:
                path = folder / name
                return path.read_bytes(), _PICTURES[path.suffix]
        return None

    def _found(self) -> Iterator[tuple[ReportLine, Path]]:
        for root in self._roots:
            for folder in _folders(root):
                kind = _kind(folder)
                if kind is not None:
                    yield _line(kind, root, folder), folder


def _folders(root: Path) -> list[Path]:
    """The folder and those below it, not too deep and not too many."""
    found, level = [root] if root.is_dir() else [], [root] if root.is_dir() else []
    for _ in range(_DEPTH):
        level = sorted(
            child
            for folder in level
            for child in folder.iterdir()
            if child.is_dir() and not child.is_symlink() and not child.name.startswith(".")
        )[:_MOST]
        found += level
    return found[:_MOST]


def _kind(folder: Path) -> Literal["solving", "retrieval"] | None:
    if (folder / _EVALUATION[0]).is_file():
        return "solving"
    text = folder / _RETRIEVAL[0]
    if text.is_file() and text.stat().st_size < _LARGEST:
        return "retrieval" if b'"benchmark"' in text.read_bytes()[:2000] else None
    return None


def _line(kind: Literal["solving", "retrieval"], root: Path, folder: Path) -> ReportLine:
    markdown = folder / (_EVALUATION if kind == "solving" else _RETRIEVAL)[1]
    head = _text(markdown).partition("\n")[0].lstrip("# ").strip()
    name = root.name if folder == root else f"{root.name}/{folder.relative_to(root).as_posix()}"
    return ReportLine(
        report=digest(str(folder.resolve()))[:16],
        kind=kind,
        name=name,
        title=head or name,
        pictures=tuple(_pictures(folder)),
    )


def _pictures(folder: Path) -> Iterator[str]:
    """Names of the plots, as vectors where they are there both ways."""
    for place in (folder, folder / "plots"):
        found = sorted(place.iterdir()) if place.is_dir() and not place.is_symlink() else []
        usable = [
            path
            for path in found
            if path.suffix in _PICTURES and path.is_file() and path.stat().st_size < _LARGEST
        ]
        vectors = {path.stem for path in usable if path.suffix == ".svg"}
        for path in usable:
            if path.suffix == ".svg" or path.stem not in vectors:
                yield path.relative_to(folder).as_posix()


def _shown(line: ReportLine, folder: Path) -> ShownReport | None:
    files = _EVALUATION if line.kind == "solving" else _RETRIEVAL
    try:
        values = json.loads((folder / files[0]).read_text("utf-8"))
        measure, intervals = _intervals(line.kind, values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return None
    return ShownReport(
        line=line,
        measure=measure,
        intervals=tuple(intervals),
        sections=tuple(sections_of(_text(folder / files[1]))),
    )


def _intervals(kind: str, values: Any) -> tuple[str, list[Interval]]:
    found = []
    if kind == "solving":
        for one in values["configurations"]:
            value, (low, high) = one["pass_at"].get("1"), one["wilson"] or (None, None)
            if value is not None:
                found.append(Interval(name=one["name"], value=value, low=low, high=high))
        return "pass@1, Wilson 95 %", found
    measure = next((name for v in values["variants"] for name in v["measures"]), "")
    for one in values["variants"]:
        reached = one["measures"].get(measure)
        if reached is not None:
            found.append(
                Interval(
                    name=one["variant"],
                    value=reached["mean"],
                    low=reached["low"],
                    high=reached["high"],
                )
            )
    return f"{measure}, 95 %", found


def sections_of(markdown: str) -> Iterator[Section]:
    """Headings, tables, lists and lines of a report as the evaluations write them."""
    title, lines = "", list[str]()
    for line in markdown.splitlines():
        heading = re.match(r"#+\s+(.*)", line)
        if heading:
            if lines and any(text.strip() for text in lines):
                yield Section(title=title, blocks=tuple(_blocks(lines)))
            title, lines = heading.group(1), []
        else:
            lines.append(line)
    if any(text.strip() for text in lines):
        yield Section(title=title, blocks=tuple(_blocks(lines)))


def _blocks(lines: Iterable[str]) -> Iterator[Block]:
    kind, group = "", list[str]()
    for line in [*lines, ""]:
        now = "table" if line.startswith("|") else "list" if line.startswith("- ") else "text"
        now = now if line.strip() else ""
        if now != kind and group:
            yield _block(kind, group)
            group = []
        kind = now
        if now:
            group.append(line)


def _block(kind: str, lines: Sequence[str]) -> Block:
    if kind == "table":
        cells = [tuple(cell.strip() for cell in line.strip("|\n ").split("|")) for line in lines]
        rows = [row for row in cells[1:] if not all(set(cell) <= set("-: ") for cell in row)]
        width = len(cells[0])
        padded = [(*row, *("",) * width)[:width] for row in rows]
        return Block(kind="table", head=cells[0], rows=tuple(padded))
    if kind == "list":
        return Block(kind="list", lines=tuple(line.removeprefix("- ") for line in lines))
    return Block(kind="text", lines=tuple(lines))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8") if path.stat().st_size < _LARGEST else ""
    except (OSError, UnicodeDecodeError):
        return ""
