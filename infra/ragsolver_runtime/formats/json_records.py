"""Records of JSON files: one a line, one array, or one object; broken ones as their bytes.

A broken record is found again where the next one begins, so that it is refused alone. In an array
that is the next line with a `{` as far from the margin as the one before; without line breaks, all
that follows is one broken record.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

BOM = b"\xef\xbb\xbf"

_BETWEEN = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class JsonRecord:
    """One record of a file."""

    line: int
    """1-based line on which it starts."""
    raw: bytes
    """The bytes as read."""
    fields: dict[str, Any] | None
    """The JSON object; none for what is not one."""


def read_lines(lines: Iterable[bytes]) -> Iterator[JsonRecord]:
    """Every record of JSONL text; blank lines are skipped."""
    for number, line in enumerate(lines, start=1):
        raw = line.removeprefix(BOM) if number == 1 else line
        raw = raw.strip()
        if raw:
            yield JsonRecord(number, raw, _object(raw))


def read_document(raw: bytes) -> Iterator[JsonRecord]:
    """Every record of a `.json` file: an array, one object, or after all one record a line."""
    raw = raw.removeprefix(BOM)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        yield JsonRecord(1, raw, None)
        return
    if text.lstrip().startswith("["):
        yield from _array(text)
        return
    whole = _object(raw)
    if whole is not None:
        yield JsonRecord(_line(text, len(text) - len(text.lstrip())), raw.strip(), whole)
    else:
        yield from read_lines(raw.split(b"\n"))


def _array(text: str) -> Iterator[JsonRecord]:
    decoder = json.JSONDecoder()
    position, line, counted = text.index("[") + 1, 1, 0
    while True:
        position = _after_blanks(text, position)
        rest = text[position : position + 1]
        if not rest or (rest == "]" and not text[position + 1 :].strip()):
            return
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            value, end = None, _next_record(text, position)
        raw = text[position:end].rstrip().rstrip(",").encode("utf-8", "surrogatepass")
        yield JsonRecord(line, raw, value if isinstance(value, dict) else None)
        position = end


def _after_blanks(text: str, position: int) -> int:
    found = _BETWEEN.match(text, position)
    return found.end() if found else position


def _next_record(text: str, position: int) -> int:
    """Where the record after a broken one begins, or the end of the text."""
    margin = text[text.rfind("\n", 0, position) + 1 : position]
    found = text.find(f"\n{margin}{{", position)
    return found + 1 if found >= 0 else len(text)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
