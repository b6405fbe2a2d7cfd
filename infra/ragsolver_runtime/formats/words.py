"""Problems in words: plain text, one a file, and Markdown, one a file or one a section.

In Markdown, a section `## name` is a problem; its blocks marked `lean` hold the formal statement,
that of their last open theorem. Such a block before the first section is the header of all. What
stands below a heading that says solution, answer or proof is left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ragsolver_runtime.formal_text import joined_headers, split_formal, without_comments
from ragsolver_runtime.lean_files import lean_problems

_HEADING = re.compile(r"(#{1,6})[ \t]")
_FENCE = re.compile(r"[ ]{0,3}(```+|~~~+)[ \t]*([\w+-]*)")
_LEFT_OUT = re.compile(r"(?:the\s+)?(?:answer|proof|solution)s?\b", re.IGNORECASE)
_NOT_IN_NAMES = re.compile(r"[\s/]+")
_SECTION = 2


@dataclass(frozen=True)
class WordProblem:
    """One problem of a text."""

    line: int
    """1-based line on which it starts."""
    fields: dict[str, Any]
    """The input object."""


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    level: int
    """Of a heading, 1 to 6; 0: none."""
    lean: bool
    """Inside a block of Lean."""
    fence: bool
    """Begins or ends a block."""


def read_text(text: str, stem: str) -> Iterator[WordProblem]:
    """The problem of a plain text file, named after the file."""
    yield WordProblem(1, {"name": word_name(stem), "informal_statement": text.strip()})


def read_markdown(text: str, stem: str) -> Iterator[WordProblem]:
    """The problems of a Markdown file.

    Args:
        text: of the file.
        stem: its name, which is the problem's where there are no sections.
    """
    lines = list(_lines(text))
    starts = [i for i, line in enumerate(lines) if line.level == _SECTION]
    if not starts:
        yield _problem(lines, stem, 1, "")
        return
    shared = without_comments("\n".join(line.text for line in lines[: starts[0]] if line.lean))
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        heading = lines[start]
        title = _title(heading.text)
        yield _problem(lines[start + 1 : end], title, heading.number, shared)


def word_name(title: str) -> str:
    """A name made of a title: no blanks and no slashes."""
    return _NOT_IN_NAMES.sub("-", title.strip().strip("`*_").strip()).lstrip("_")


def _problem(lines: list[_Line], title: str, number: int, shared: str) -> WordProblem:
    kept = list(_without_solutions(lines))
    words = [line.text for line in kept if not line.lean and not line.fence]
    lean = "\n".join(line.text for line in kept if line.lean)
    fields: dict[str, Any] = {"name": word_name(title)}
    informal = "\n".join(words).strip()
    if informal:
        fields["informal_statement"] = informal
    if lean.strip():
        parts = split_formal(lean)
        fields["formal_statement"] = parts.statement
        fields["header"] = joined_headers(shared, parts.header)
        if parts.doc and not informal:
            fields["informal_statement"] = parts.doc
        sketches = [problem.sketch for problem in lean_problems(lean)]
        if sketches and sketches[-1]:
            fields["sketch"] = sketches[-1]
    return WordProblem(number, fields)


def _without_solutions(lines: list[_Line]) -> Iterator[_Line]:
    """The lines but those below a heading that announces a solution."""
    below = 0
    for line in lines:
        if line.level and (not below or line.level <= below):
            below = line.level if _LEFT_OUT.match(_title(line.text)) else 0
        if not below:
            yield line


def _lines(text: str) -> Iterator[_Line]:
    fence, lean = "", False
    for number, line in enumerate(text.split("\n"), start=1):
        marks = _FENCE.match(line)
        if fence:
            closes = marks is not None and marks[1].startswith(fence) and not marks[2]
            yield _Line(number, line, 0, lean and not closes, closes and lean)
            fence = "" if closes else fence
        elif marks is not None:
            fence, lean = marks[1], marks[2].lower() in ("lean", "lean4")
            yield _Line(number, line, 0, lean=False, fence=lean)
        else:
            heading = _HEADING.match(line)
            yield _Line(number, line, len(heading[1]) if heading else 0, lean=False, fence=False)


def _title(heading: str) -> str:
    return heading.lstrip("#").strip().rstrip("#").rstrip()
