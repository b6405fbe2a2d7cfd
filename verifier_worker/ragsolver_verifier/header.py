"""Headers: the problem's own, and the core-Lean header for a problem that imports Mathlib."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_runtime.lean_files import mask

_IMPORT = re.compile(
    r"\s*(?:(?P<word>module|prelude)\b"
    r"|(?:(?:public|meta|private)\s+)*import\s+(?:all\s+)?(?P<name>[^\s]+))"
)
_MATHLIB = frozenset({"Mathlib", "MathlibExtras", "Batteries", "Aesop", "ProofWidgets"})
_OPEN = re.compile(r"^\s*open\s+((?:scoped\s+)?[\w.«»' \t]+)$")
_OPEN_WORDS = frozenset({"in", "hiding", "renaming"})
LIBRARY = "import Std"
"""All of the core library that the embedded index holds: Init and Std."""

_HEARTBEATS = re.compile(r"^\s*set_option\s+maxHeartbeats\s+\d+\s*$")
_NUMBERS = ("set_option autoImplicit false", 'notation "ℕ" => Nat', 'notation "ℤ" => Int')


def plain_text(text: str) -> str:
    """The text as Lean takes it from a file: no byte order mark, a lone line feed at line ends.

    Lines and columns stay the same.
    """
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def plain_header(header: str) -> str:
    """The header as plain text, its module documentation before imports as a plain comment.

    Lean allows no documentation there, but many files have a title in it.
    """
    header = plain_text(header)
    found = list(_imports(header))
    stop = found[-1].start if found else 0
    return header[:stop].replace("/-!", "/- ") + header[stop:]


@dataclass(frozen=True)
class _Import:
    start: int
    end: int
    module: str
    """Empty for `module` and `prelude`."""


def _imports(text: str) -> Iterator[_Import]:
    """The import commands at the top of a text, after blanks and comments only."""
    masked, position = mask(text), 0
    while match := _IMPORT.match(masked, position):
        position = match.end()
        start = position - len(match[0].lstrip())
        yield _Import(start, position, match["name"] or "")


def imports_mathlib(header: str) -> bool:
    """Whether a header imports Mathlib, a part of it, or a library that comes with it."""
    return any(_of_mathlib(found) for found in _imports(plain_text(header)))


def _of_mathlib(found: _Import) -> bool:
    return found.module.split(".")[0] in _MATHLIB


def lookup_header(header: str) -> str:
    """The header under which a problem's namespaces are looked up: core Lean, nothing opened."""
    return compatibility_header(split_imports(header)[0], frozenset())


def opened_namespaces(header: str) -> tuple[str, ...]:
    """Namespaces that the header's `open` lines name, in order, each once."""
    found: dict[str, None] = {}
    for line in mask(plain_text(header)).split("\n"):
        found.update(dict.fromkeys(_opened(line) or ()))
    return tuple(found)


def _opened(line: str) -> list[str] | None:
    """The namespaces of a line that does nothing but open some."""
    match = _OPEN.match(line)
    names = match[1].removeprefix("scoped").split() if match else None
    return names if names and not _OPEN_WORDS.intersection(names) else None


def compatibility_header(header: str, missing_namespaces: frozenset[str]) -> str:
    """The header under which core Lean may elaborate a Mathlib statement.

    `Std` is imported, which Mathlib includes, so that whatever the index of the core library finds
    can be used. Imports of Mathlib, unlimited heartbeats and comments are dropped, `ℕ` and `ℤ`
    become notations, auto-implicit variables are switched off as in Mathlib, and namespaces that
    do not exist are not opened. Everything else stays as it is.

    Args:
        header: the problem's header.
        missing_namespaces: those of `opened_namespaces` that core Lean does not have.
    """
    header = plain_text(header)
    found = list(_imports(header))
    kept = [_written(header, item) for item in found if not _of_mathlib(item)]
    imports = list(dict.fromkeys(kept))
    rest = []
    for line in mask(header, strings=False)[found[-1].end if found else 0 :].split("\n"):
        opened = _opened(line)
        if opened:
            names = [name for name in opened if name not in missing_namespaces]
            if names:
                rest.append(f"open {' '.join(names)}")
        elif line.strip() and not _HEARTBEATS.match(line):
            rest.append(line.rstrip())
    if LIBRARY not in imports:
        imports.insert(0, LIBRARY)
    return "\n".join([*imports, *_NUMBERS, *rest])


def split_imports(text: str) -> tuple[str, str]:
    """A file's imports, one a line and each once, and its text with them blanked.

    Positions in the text stay the same.
    """
    text = plain_text(text)
    imports, rest = [], list(text)
    for found in _imports(text):
        imports.append(_written(text, found))
        blank = ["\n" if c == "\n" else " " for c in text[found.start : found.end]]
        rest[found.start : found.end] = blank
    return "\n".join(dict.fromkeys(imports)), "".join(rest)


def _written(text: str, found: _Import) -> str:
    return " ".join(mask(text)[found.start : found.end].split())
