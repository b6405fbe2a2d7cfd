"""Lean text in pieces: what a proof cites, and where Lean complained.

Positions count in Unicode code points, as Lean counts; a browser counts in UTF-16. So the text is
cut here, and the page only joins the pieces.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from ragsolver_contracts.base import Model
from ragsolver_contracts.lean import Diagnostic
from ragsolver_contracts.report import CitedEvidence, Proof
from ragsolver_contracts.retrieval import Citation

LEVELS = ("used_in_proof", "used_in_sketch", "consulted")
"""Strongest first."""
_WORD = r"(?:[^\W\d]|[«»])(?:[\w'!?]|[«»])*"
_IDENTIFIER = re.compile(rf"{_WORD}(?:\.{_WORD})*")


class Piece(Model):
    """A stretch of text."""

    text: str
    cited: str | None = None
    """Id of the citation that it names."""
    message: int | None = None
    """Number of the diagnostic that it is about."""


class Cited(Model):
    """A citation for a reader, with where it leads."""

    id: str
    level: str
    label: str
    module: str = ""
    url: str = ""
    """Only `http` and `https`."""
    signature: str = ""
    found_by: str = ""
    """Lean's own search, where the name was not retrieved."""
    document: str = ""
    """Of an informal source."""
    pages: str = ""
    named: bool = False
    """Whether the proof's text names it."""


def cited_of(evidence: CitedEvidence, named: Iterable[str] = ()) -> tuple[Cited, ...]:
    """Every citation, strongest level first."""
    names = set(named)
    return tuple(
        citation_of(citation, level, named=citation.label in names)
        for level in LEVELS
        for citation in getattr(evidence, level)
    )


def citation_of(citation: Citation, level: str, *, named: bool = False) -> Cited:
    """One citation."""
    where = citation.locator
    url = str(where.get("docs_url") or "")
    pages = where.get("pages")
    return Cited(
        id=citation.citation_id,
        level=level,
        label=str(where.get("decl_name") or citation.label),
        module=str(where.get("module_path") or ""),
        url=url if re.match(r"https?://", url) else "",
        signature=citation.snippet,
        found_by=str(where.get("found_by") or ""),
        document=str(where.get("doc_id") or ""),
        pages=", ".join(map(str, pages)) if isinstance(pages, list) else "",
        named=named,
    )


def proof_pieces(proof: Proof, cited: Sequence[Cited]) -> tuple[Piece, ...]:
    """The proof's text with the names of cited declarations apart.

    A name in the text may be short (`open Nat`) or a field (`h.symm`): then it is taken for a
    declaration that Lean found in the text or in the term, where that is but one.
    """
    by_label = {item.label: item.id for item in reversed(cited)}
    resolved = {*proof.named_in_proof, *proof.constants}
    known = {label: number for label, number in by_label.items() if label in resolved}
    pieces: list[Piece] = []
    at = 0
    for found in _IDENTIFIER.finditer(proof.source):
        name = found.group()
        number = by_label.get(name) or _short(name, known, set(proof.named_in_proof))
        if number is not None:
            pieces.append(Piece(text=proof.source[at : found.start()]))
            pieces.append(Piece(text=name, cited=number))
            at = found.end()
    pieces.append(Piece(text=proof.source[at:]))
    return tuple(piece for piece in pieces if piece.text)


def _short(name: str, known: Mapping[str, str], named: set[str]) -> str | None:
    """The one declaration whose name ends like this one."""
    full = [label for label in known if label.endswith(f".{name}")]
    if not full and "." in name:
        last = name.rpartition(".")[2]
        full = [label for label in known if label in named and label.endswith(f".{last}")]
    return known[full[0]] if len(full) == 1 else None


class MarkedText(Model):
    """A text with its diagnostics in place."""

    part: str
    lines: tuple[tuple[Piece, ...], ...]


def marked(text: str, part: str, diagnostics: Sequence[Diagnostic]) -> MarkedText:
    """The text by lines; of overlapping diagnostics the first one wins.

    Args:
        text: of one part of a candidate.
        part: which part; diagnostics of others are left out.
        diagnostics: all of them; pieces refer to their numbers.
    """
    lines = text.split("\n")
    owners = [[-1] * (len(line) + 1) for line in lines]
    for number, said in enumerate(diagnostics):
        if said.part == part:
            for row, column in _places(said, lines):
                if owners[row][column] < 0:
                    owners[row][column] = number
    return MarkedText(
        part=part,
        lines=tuple(_pieces(line, owner) for line, owner in zip(lines, owners, strict=True)),
    )


def _places(said: Diagnostic, lines: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Lines and columns, from 0, that a diagnostic covers; at least one."""
    row, column = said.start.line - 1, said.start.column
    if not 0 <= row < len(lines):
        return
    column = min(column, len(lines[row]))
    end = said.end
    last = min(end.line - 1, len(lines) - 1) if end is not None else row
    until = end.column if end is not None and end.line - 1 == last else len(lines[max(last, row)])
    if (last, until) <= (row, column):
        yield row, column
        return
    for line in range(row, last + 1):
        start = column if line == row else 0
        stop = min(until, len(lines[line])) if line == last else len(lines[line])
        for place in range(start, max(stop, start + 1)):
            yield line, place


def _pieces(line: str, owners: Sequence[int]) -> tuple[Piece, ...]:
    """A line in stretches of the same owner; a mark behind the last character has a space."""
    padded = line + " " if owners[-1] >= 0 else line
    pieces: list[Piece] = []
    start = 0
    for place in range(1, len(padded) + 1):
        if place == len(padded) or owners[place] != owners[start]:
            owner = owners[start] if owners[start] >= 0 else None
            pieces.append(Piece(text=padded[start:place], message=owner))
            start = place
    return tuple(piece for piece in pieces if piece.text)
