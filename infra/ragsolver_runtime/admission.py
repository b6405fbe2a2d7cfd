"""Admission: whether an input is a problem, decided from its bytes alone.

Pure: bytes in, a canonical problem or a refusal out. Inputs are untrusted; nothing in them is
obeyed or executed.
"""

import json
import re
from dataclasses import dataclass

from pydantic import ValidationError

from ragsolver_contracts.ids import digest
from ragsolver_contracts.invalid import pointers
from ragsolver_contracts.problem import InputSource, Problem, ProblemInput, RefusalReason
from ragsolver_runtime.formal_text import as_theorem, open_definition, without_proof

INBOX = "inbox"
"""The standing run of inputs that name none."""

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_DECLARATION = re.compile(r"^\s*(?:theorem|lemma)\s+([^\s:({\[⦃]+)", re.MULTILINE)
_CHILD = re.compile(r"\.a[0-9]+\.h[0-9]+$")
"""Names that the runtime gives to child problems; nobody may post one."""
_SHOWN = 200

ABSENT = frozenset({"", "None.", "None", "null"})
"""Texts by which datasets say that there is none."""


@dataclass(frozen=True)
class RawInput:
    """What was posted: the bytes, and where the poster says they belong."""

    content: bytes
    run_id: str | None = None
    """Run for an input that names none, or that cannot be read."""
    line: int | None = None
    """1-based line of the poster's file."""

    @property
    def key(self) -> str:
        """Identity of the input: the same bytes for the same run are the same input."""
        return digest(self.run_id or "", self.content)


@dataclass(frozen=True)
class Admitted:
    """A canonical problem for a run."""

    run_id: str
    problem: Problem


@dataclass(frozen=True)
class Refusal:
    """Why the input is no problem."""

    run_id: str
    reason: RefusalReason
    message: str
    name: str = ""
    pointer: str = ""
    line: int | None = None


def admit(raw: RawInput) -> Admitted | Refusal:
    """Read one input."""
    run_id = raw.run_id if raw.run_id and _RUN_ID.fullmatch(raw.run_id) else INBOX
    try:
        text = raw.content.decode("utf-8")
    except UnicodeDecodeError as error:
        return Refusal(
            run_id,
            RefusalReason.NOT_UTF8,
            f"byte {error.start} is not UTF-8: save the file as UTF-8",
            line=raw.line,
        )
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        shown = text[:_SHOWN]
        message = f"not a JSON object: {error}; it begins {shown!r}"
        return Refusal(run_id, RefusalReason.BAD_JSON, message, line=raw.line)
    try:
        given = ProblemInput.model_validate_json(text)
    except ValidationError as error:
        return _broken(run_id, fields, error, raw.line)
    run_id = given.run_id or run_id
    if not _has_text(given.formal_statement) and not _has_text(given.informal_statement):
        return Refusal(
            run_id,
            RefusalReason.NO_STATEMENT,
            "neither a formal nor an informal statement: give at least one of them",
            name=given.name,
            pointer="/formal_statement",
            line=given.source.line or raw.line,
        )
    if _CHILD.search(given.name):
        return _like_a_child(run_id, given, raw)
    problem = _canonical(given, raw)
    left_open = open_definition(problem.header, problem.formal_statement or "")
    if left_open is not None:
        return Refusal(
            run_id,
            RefusalReason.ANSWER_HOLE,
            f"{left_open} is left open (`sorry`), so that the answer is not given and nothing can "
            "be proved: write the answer there, or take the dataset's variant that has it",
            name=given.name,
            pointer="/formal_statement",
            line=problem.source.line,
        )
    return Admitted(run_id, problem)


def _like_a_child(run_id: str, given: ProblemInput, raw: RawInput) -> Refusal:
    return Refusal(
        run_id,
        RefusalReason.SCHEMA,
        f"{given.name!r} ends like the name of a hole of a sketch (.a1.h1): rename it",
        name=given.name,
        pointer="/name",
        line=given.source.line or raw.line,
    )


def _canonical(given: ProblemInput, raw: RawInput) -> Problem:
    formal = given.formal_statement if _has_text(given.formal_statement) else None
    declaration = None
    if formal is not None:
        formal = without_proof(as_theorem(formal)).strip()
        named = _DECLARATION.search(formal)
        declaration = named[1] if named else None
    source = given.source
    if source.line is None and raw.line is not None:
        source = InputSource.model_validate({**source.model_dump(), "line": raw.line})
    return Problem(
        problem_id=given.name,
        name=given.name,
        formal_statement=formal,
        declaration=declaration,
        informal_statement=given.informal_statement
        if _has_text(given.informal_statement)
        else None,
        header=given.header.strip(),
        split=given.split,
        source=source,
        hints=given.hints,
        sketch=given.sketch,
        input_digest=raw.key,
    )


def _broken(run_id: str, fields: object, error: ValidationError, line: int | None) -> Refusal:
    problems = pointers(error)
    if error.errors()[0]["type"] == "json_invalid":
        message = f"not a JSON object: {problems[0][1]}"
        return Refusal(run_id, RefusalReason.BAD_JSON, message, line=line)
    pointer = problems[0][0]
    message = "; ".join(f"{where or '/'}: {what}" for where, what in problems[:5])
    name = ""
    if isinstance(fields, dict):
        # Half a surrogate pair can be written in JSON but not in UTF-8.
        name = str(fields.get("name", ""))[:_SHOWN].encode("utf-8", "replace").decode()
        named_run = fields.get("run_id")
        if isinstance(named_run, str) and _RUN_ID.fullmatch(named_run):
            run_id = named_run
        source = fields.get("source")
        if isinstance(source, dict) and isinstance(source.get("line"), int):
            line = source["line"]
    return Refusal(run_id, RefusalReason.SCHEMA, message, name, pointer, line)


def _has_text(text: str | None) -> bool:
    return text is not None and text.strip() not in ABSENT
