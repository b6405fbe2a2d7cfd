"""Reading problem files: JSON as datasets publish it, Lean files with `sorry`, and words.

Nothing is judged here. A record that is not JSON, or not UTF-8, is handed on as it is: the intake
refuses it with its reason, so that every refusal is an event. What a dataset's layout has beside
the problem, proofs and answers above all, is not handed on: see `formats/`.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ragsolver_contracts.ids import digest
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.formal_text import open_definition, without_comments
from ragsolver_runtime.formats.json_records import BOM, JsonRecord, read_document, read_lines
from ragsolver_runtime.formats.layout import Format
from ragsolver_runtime.formats.registry import AUTO, convert, find_format, labelled
from ragsolver_runtime.formats.words import WordProblem, read_markdown, read_text, word_name
from ragsolver_runtime.lean_files import lean_problems

MAX_MESSAGE = 900_000
"""Bytes of the largest input that is posted whole; the server's own limit is 1 MiB."""

_CUT = 200_001
"""Characters kept of an oversized text: one more than the contract allows, so it is refused."""
_IN_FOLDERS = frozenset({".lean", ".md", ".txt"})
_NOT_READ = frozenset({".arrow", ".csv", ".gz", ".parquet", ".zip", ".zst"})
_ABOUT_A_FOLDER = frozenset({"changelog", "contributing", "lakefile", "license", "readme"})
"""Names of files that speak of a folder's problems and hold none."""


@dataclass(frozen=True)
class FileInput:
    """One input of a problem file, not yet judged."""

    line: int
    """1-based line on which it starts."""
    name: str | None
    """Its name, where it has one that can be read."""
    fields: dict[str, Any] | None
    """The input object; none for what is no JSON object."""
    raw: bytes
    """The bytes as read."""
    file: str
    """Name of the file, below the folder that was given."""
    own_name: str = ""
    """The dataset's own id of it, where its name is made of that."""

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
    """Names, or the dataset's own ids; none: all, also what has no readable name."""
    limit: int | None = None
    """At most this many, in the order of the file."""

    def apply(self, inputs: Iterable[FileInput]) -> Iterator[FileInput]:
        """The selected inputs, in order."""
        only = self.only
        named = (i for i in inputs if only is None or i.name in only or i.own_name in only)
        return islice(named, self.limit)


def read_inputs(path: Path, layout: str = AUTO) -> Iterator[FileInput]:
    """Every input of a problem file or folder, in order; blank lines are skipped.

    Args:
        path: `.lean` with theorems that end in `sorry`, `.md`, `.txt`, `.json`, or JSONL under any
            other name; or a folder of the first three, read in the order of their paths.
        layout: one of `format_names()`.

    Raises:
        ConfigError: there is no such layout, or the file is of a kind that is not read.
        OSError: the file cannot be read.
    """
    forced = find_format(layout)
    if not path.is_dir():
        yield from _read_file(path, Path(path.name), forced)
        return
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path)
        hidden = any(part.startswith(".") for part in inside.parts)
        about = file.stem.lower() in _ABOUT_A_FOLDER
        if file.suffix.lower() in _IN_FOLDERS and file.is_file() and not (hidden or about):
            yield from _read_text(file, inside, forced, folder=path.resolve().name)


def read_jsonl(lines: Iterable[bytes], file: str, layout: str = AUTO) -> Iterator[FileInput]:
    """Every input of JSONL text.

    Args:
        lines: the text, line by line.
        file: what to call it in sources.
        layout: one of `format_names()`.

    Raises:
        ConfigError: there is no such layout.
    """
    forced = find_format(layout)
    for record in read_lines(lines):
        yield _of_record(record, file, forced)


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


def _read_file(path: Path, inside: Path, forced: Format | None) -> Iterator[FileInput]:
    file = inside.as_posix()
    suffix = path.suffix.lower()
    if suffix in _NOT_READ:
        raise ConfigError(
            f"{path} is {suffix}, which is not read here: write its rows as JSON lines first, "
            "for example with `to_json` of the package `datasets`"
        )
    if suffix in _IN_FOLDERS:
        yield from _read_text(path, inside, forced)
    elif suffix == ".json":
        for record in read_document(path.read_bytes()):
            yield _of_record(record, file, forced)
    else:
        with path.open("rb") as stream:
            for record in read_lines(stream):
                yield _of_record(record, file, forced)


def _of_record(record: JsonRecord, file: str, forced: Format | None) -> FileInput:
    if record.fields is None:
        return FileInput(record.line, None, None, record.raw, file)
    made = convert(record.fields, file, forced)
    name = made.fields.get("name")
    readable = name if isinstance(name, str) else None
    return FileInput(record.line, readable, made.fields, record.raw, file, made.own_name)


def _read_text(
    path: Path, inside: Path, forced: Format | None, *, folder: str = ""
) -> Iterator[FileInput]:
    """The inputs of a file that is no JSON; `folder` is the name of the one that was given."""
    file = inside.as_posix()
    raw = path.read_bytes().removeprefix(BOM)
    try:
        text = raw.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        yield FileInput(1, None, None, raw, file)
        return
    read = {".lean": _lean_problems, ".md": read_markdown, ".txt": read_text}[path.suffix.lower()]
    for problem in read(text, path.stem):
        fields = problem.fields
        if folder:
            fields = fields | {"name": _name_in_folder(str(fields["name"]), inside)}
        made = labelled(fields, f"{folder}/{file}", forced)
        name = str(made.fields["name"])
        given = json.dumps(made.fields, ensure_ascii=False).encode()
        yield FileInput(problem.line, name, made.fields, given, file, made.own_name)


def _lean_problems(text: str, _stem: str) -> Iterator[WordProblem]:
    for problem in lean_problems(text):
        header = problem.header
        if open_definition(header, ""):
            header = without_comments(header)  # one of them may hold the answer
        fields: dict[str, Any] = {
            "name": problem.name,
            "formal_statement": problem.statement,
            "header": header,
        }
        if problem.sketch:
            fields["sketch"] = problem.sketch
        if problem.doc:
            fields["informal_statement"] = problem.doc
        yield WordProblem(problem.line, fields)


def _name_in_folder(name: str, inside: Path) -> str:
    """The name with the path of its file before it, unless it is named like the file."""
    parts = [word_name(part) for part in inside.with_suffix("").parts]
    if name == parts[-1]:
        parts.pop()
    return ".".join(filter(None, (*parts, name)))
