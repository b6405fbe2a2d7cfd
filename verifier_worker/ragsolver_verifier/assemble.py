"""Our own copy of the statement around an untrusted proof, and whose text a position is in."""

from dataclasses import dataclass

from ragsolver_contracts.lean import Position, TextPart
from ragsolver_verifier.header import plain_text


@dataclass(frozen=True)
class Candidate:
    """What is to be checked, without its statement.

    Attributes:
        proof: what follows `:=`.
        preamble: declarations before the statement.
        whole: a complete text that states the theorem itself; replaces the other two.
    """

    proof: str = ""
    preamble: str = ""
    whole: str | None = None


@dataclass(frozen=True)
class Assembled:
    """The text that Lean elaborates after the header.

    Attributes:
        text: all of it.
        parts: its parts in order, each with the position of its first character.
    """

    text: str
    parts: tuple[tuple[TextPart, Position], ...]

    def own(self, position: Position) -> tuple[TextPart, Position]:
        """The part that a position is in, and where in that part."""
        line, column = position.line, position.column
        part, first = next(
            (name, start)
            for name, start in reversed(self.parts)
            if (start.line, start.column) <= (line, column) or start == self.parts[0][1]
        )
        if line <= first.line:
            column -= first.column
        return part, Position(line=max(1, line - first.line + 1), column=max(0, column))


def assemble(statement: str, candidate: Candidate) -> Assembled:
    """The text that Lean elaborates after the header.

    The statement is ours, not the candidate's. Nothing is escaped: a preamble that swallows the
    statement leaves a text that does not declare it, and that is found out in the environment.
    Every part is read as Lean reads a file: see `plain_text`.

    Args:
        statement: `theorem name … : type`, ending before `:=`.
        candidate: the untrusted rest.
    """
    if candidate.whole is not None:
        return _joined([("whole", plain_text(candidate.whole))])
    statement = plain_text(statement)
    define = "\n  := " if "--" in statement.rsplit("\n", 1)[-1] else " := "
    parts: list[tuple[TextPart, str]] = [
        ("statement", f"{statement}{define}"),
        ("proof", plain_text(candidate.proof)),
    ]
    if candidate.preamble.strip():
        parts.insert(0, ("preamble", f"{plain_text(candidate.preamble).rstrip()}\n\n"))
    return _joined(parts)


def _joined(parts: list[tuple[TextPart, str]]) -> Assembled:
    text, starts = "", []
    for name, piece in parts:
        column = len(text) - (text.rfind("\n") + 1)
        starts.append((name, Position(line=text.count("\n") + 1, column=column)))
        text += piece
    return Assembled(text, tuple(starts))


def full_source(header: str, text: str) -> str:
    """Header and text as one file."""
    return f"{header.rstrip()}\n\n{text}" if header.strip() else text
