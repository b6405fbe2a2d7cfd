"""The theorems of a Lean file, found by Lean's own parser."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from ragsolver_contracts.lean import Diagnostic
from ragsolver_verifier.evidence import diagnostics, require_nonce
from ragsolver_verifier.header import plain_text, split_imports
from ragsolver_verifier.session import LeanSession


@dataclass(frozen=True)
class Theorem:
    """One theorem of a file.

    Attributes:
        name: as written.
        statement: `theorem name … : type`, ending before `:=`.
        header: the file's text before it.
        text: the theorem with its proof, moved down to its own lines, so that positions in it
            are positions in the file.
    """

    name: str
    statement: str
    header: str
    text: str


@dataclass(frozen=True)
class Outline:
    """What a file declares, in order, as far as Lean could read it."""

    theorems: Sequence[Theorem]
    diagnostics: tuple[Diagnostic, ...]
    forbidden: tuple[str, ...]
    """Forbidden constructs; Lean read no further than the first."""


def outline(session: LeanSession, text: str, *, timeout_s: float) -> Outline:
    """Read a file.

    Args:
        session: the Lean process.
        text: the whole file, imports included.
        timeout_s: seconds until the process is killed.

    Raises:
        LeanFailureError: Lean could not do it.
        LimitExceededError: it took too long or too much memory.
    """
    text = plain_text(text)
    imports, rest = split_imports(text)
    nonce = secrets.token_hex(16)
    request = {"op": "outline", "nonce": nonce, "header": imports, "source": rest}
    answer = session.ask(request, timeout_s=timeout_s)
    require_nonce(answer, nonce)
    found = [*answer["header"]["forbidden"], *answer["forbidden"]]
    return Outline(
        [_theorem(text, item) for item in answer["theorems"]],
        diagnostics([*answer["header"]["messages"], *answer["messages"]]),
        tuple(f"{item['what']} {item['name']}" for item in found),
    )


def _theorem(text: str, item: dict[str, object]) -> Theorem:
    start, stop = _offset(text, item["pos"]), _offset(text, item["endPos"])
    moved = "\n" * text.count("\n", 0, start) + text[start:stop]
    return Theorem(str(item["name"]), str(item["statement"]), text[:start].rstrip(), moved)


def _offset(text: str, position: object) -> int:
    """Index in `text` of a position as Lean counts: 1-based line, 0-based column."""
    if not isinstance(position, dict):
        return len(text)
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: position["line"] - 1])
    return before + int(position["column"])
