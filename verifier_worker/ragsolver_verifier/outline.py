"""What a Lean file declares, found by Lean's own parser: its theorems, and everything else."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_verifier.evidence import diagnostics, require_nonce
from ragsolver_verifier.header import plain_header
from ragsolver_verifier.session import LeanSession


@dataclass(frozen=True)
class Theorem:
    """One theorem of a file.

    Attributes:
        name: as written, without the namespace that it stands in.
        at: where the word `theorem` stands.
        statement: `theorem name … : type`, ending before `:=`, with the `open … in` before it.
        header: the file's text before its command.
        text: its command, moved down to its own lines, so that positions in it are positions in
            the file. Theorems of one `mutual` block share it.
        start: index in the file's text of its command.
        proof: index of what follows the statement.
        stop: index of the end of its command.
    """

    name: str
    at: Position
    statement: str
    header: str
    text: str
    start: int
    proof: int
    stop: int


@dataclass(frozen=True)
class Command:
    """One command of a file.

    Attributes:
        kind: last part of Lean's own name of it: `theorem`, `definition`, `example`, `open`.
        at: where it starts, its docstring included.
        start: index in the file's text of that.
        stop: index of its end.
    """

    kind: str
    at: Position
    start: int
    stop: int


@dataclass(frozen=True)
class Outline:
    """What a file declares, in order, as far as Lean could read it."""

    theorems: Sequence[Theorem]
    commands: Sequence[Command]
    errors: tuple[tuple[int, Diagnostic], ...]
    """What Lean calls an error, wherever it stands, with its index in the text."""
    forbidden: tuple[str, ...]
    """Forbidden constructs; Lean read no further than the first."""
    forbidden_at: Position | None = None
    header_ok: bool = True
    """Whether the imports could be read; without them nothing of the file was."""


def outline(session: LeanSession, text: str, *, timeout_s: float) -> Outline:
    """Read a file.

    The session keeps what it made on the way, so that questions about the file's theorems cost
    no second elaboration of the text before them.

    Args:
        session: the Lean process.
        text: the whole file, imports included.
        timeout_s: seconds until the process is killed.

    Raises:
        LeanFailureError: Lean could not do it.
        LimitExceededError: it took too long or too much memory.
    """
    text = plain_header(text)
    nonce = secrets.token_hex(16)
    answer = session.ask({"op": "outline", "nonce": nonce, "source": text}, timeout_s=timeout_s)
    require_nonce(answer, nonce)
    place = _Places(text)
    found = answer["forbidden"]
    said = [*answer["header"]["messages"], *answer["messages"]]
    errors = diagnostics([item for item in said if item["severity"] == "error"])
    return Outline(
        [_theorem(text, item, place) for item in answer["theorems"]],
        [_command(item, place) for item in answer["commands"]],
        tuple((place(item.start.model_dump()), item) for item in errors),
        tuple(f"{item['what']} {item['name']}" for item in found),
        _position(found[0]["pos"]) if found else None,
        header_ok=answer["header"]["ok"] is True,
    )


class _Places:
    """Index in a text of a position as Lean counts: 1-based line, 0-based column."""

    def __init__(self, text: str) -> None:
        self._end = len(text)
        self._lines = [0]
        for line in text.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)

    def __call__(self, position: object) -> int:
        if not isinstance(position, Mapping):
            return self._end
        line = min(int(position["line"]), len(self._lines)) - 1
        return min(self._lines[line] + int(position["column"]), self._end)


def _theorem(text: str, item: Mapping[str, Any], place: _Places) -> Theorem:
    start, stop = place(item["pos"]), place(item["endPos"])
    moved = "\n" * text.count("\n", 0, start) + text[start:stop]
    return Theorem(
        name=str(item["name"]),
        at=_position(item["at"]) or Position(line=0, column=0),
        statement=str(item["statement"]).rstrip(),
        header=text[:start],
        text=moved,
        start=start,
        proof=place(item["proof"]),
        stop=stop,
    )


def _command(item: Mapping[str, Any], place: _Places) -> Command:
    at = _position(item["pos"]) or Position(line=0, column=0)
    return Command(
        str(item["kind"]).rpartition(".")[2], at, place(item["pos"]), place(item["endPos"])
    )


def _position(item: object) -> Position | None:
    return Position.model_validate(item) if isinstance(item, Mapping) else None
