"""Reading problem files: JSONL as published and plain `.lean` files with `sorry`.

Nothing is judged here. A line that is not JSON, or not UTF-8, is handed on as it is: the intake
refuses it with its reason, so that every refusal is an event.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ragsolver_contracts.ids import digest
from ragsolver_runtime.lean_files import lean_problems

MAX_MESSAGE = 900_000
"""Bytes of the largest input that is posted whole; the server's own limit is 1 MiB."""

_BOM = b"\xef\xbb\xbf"
_CUT = 200_001
"""Characters kept of an oversized text: one more than the contract allows, so it is refused."""


@dataclass(frozen=True)
class FileInput:
    """One input of a problem file, not yet judged."""

    line: int
    """1-based line on which it starts."""
    name: str | None
    """Its name, where it has one that can be read."""
    fields: dict[str, Any] | None
    """The JSON object; none for what is not one."""
    raw: bytes
    """The bytes as read."""
    file: str
    """Name of the file, without its folder."""

    def message(self, run_id: str | None) -> bytes:
        """What is posted for this input: the object with its run, if any, and its source.

        What is not a JSON object is posted as it is, cut to the largest message.
        """
        if self.fields is None:
            return self.raw[:MAX_MESSAGE]
        fields = dict(self.fields) if run_id is None else {**self.fields, "run_id": run_id}
        source = fields.get("source", {})
        if isinstance(source, dict):
            fields["source"] = {"file": self.file, "line": self.line, **source}
        message = json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass")
        if len(message) <= MAX_MESSAGE:
            return message
        cut = {k: v[:_CUT] if isinstance(v, str) else None for k, v in fields.items()}
        return json.dumps({**cut, "source": fields["source"]}).encode()[:MAX_MESSAGE]


@dataclass(frozen=True)
class Selection:
    """Which inputs of a file are meant."""

    only: frozenset[str] | None = None
    """Names; none: all, also what has no readable name."""
    limit: int | None = None
    """At most this many, in the order of the file."""

    def apply(self, inputs: Iterable[FileInput]) -> Iterator[FileInput]:
        """The selected inputs, in order."""
        named = (i for i in inputs if self.only is None or i.name in self.only)
        return islice(named, self.limit)


def read_inputs(path: Path) -> Iterator[FileInput]:
    """Every input of a problem file, in order; blank lines are skipped.

    Args:
        path: a `.lean` file with theorems that end in `sorry`, or JSONL.

    Raises:
        OSError: the file cannot be read.
    """
    if path.suffix == ".lean":
        yield from _read_lean(path)
        return
    with path.open("rb") as stream:
        yield from read_jsonl(stream, path.name)


def read_jsonl(lines: Iterable[bytes], file: str) -> Iterator[FileInput]:
    """Every input of JSONL text.

    Args:
        lines: the text, line by line.
        file: what to call it in sources.
    """
    for number, line in enumerate(lines, start=1):
        raw = line.removeprefix(_BOM) if number == 1 else line
        raw = raw.strip()
        if not raw:
            continue
        fields = _object(raw)
        name = fields.get("name") if fields else None
        yield FileInput(number, name if isinstance(name, str) else None, fields, raw, file)


def read_names(path: Path) -> frozenset[str]:
    """Names of a list, one a line; blank lines and lines that start with `#` do not count.

    Raises:
        OSError: the file cannot be read.
        UnicodeDecodeError: it is not UTF-8.
    """
    lines = (line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


def selection_digest(inputs: Iterable[FileInput]) -> str:
    """Digest of what is going to be posted: tells whether a file changed since a run began."""
    return digest(*(f"{i.line}:{digest(i.raw)}" for i in inputs))


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _read_lean(path: Path) -> Iterator[FileInput]:
    raw = path.read_bytes().removeprefix(_BOM)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        yield FileInput(1, None, None, raw, path.name)
        return
    for problem in lean_problems(text.replace("\r\n", "\n")):
        fields: dict[str, Any] = {
            "name": problem.name,
            "formal_statement": problem.statement,
            "header": problem.header,
        }
        if problem.sketch:
            fields["sketch"] = problem.sketch
        if problem.doc:
            fields["informal_statement"] = problem.doc
        found = FileInput(problem.line, problem.name, fields, b"", path.name)
        yield replace(found, raw=json.dumps(fields, ensure_ascii=False).encode())
