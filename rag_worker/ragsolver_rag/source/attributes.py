"""Attributes of a declaration, as far as they make names or say that one is no longer used."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ragsolver_rag.source.signature import CLOSING, OPENING, closing_at

_DOC = re.compile(r"/--(.*?)-/", re.DOTALL)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_NAME = re.compile(r"(?:[↓↑←-]|scoped\s+|local\s+)*([A-Za-z_][\w.]*[!?]?)")
_SINCE = re.compile(r'since\s*:=\s*"([^"]*)"')
_PLAIN_NAME = re.compile(r"^[^\W\d][\w'!?.₀-₉«»]*$")


class Attribute(NamedTuple):
    """One attribute."""

    name: str
    words: tuple[str, ...]
    """What is written after it outside of brackets, comments and strings."""
    doc: str = ""
    """Documentation given with it; belongs to what it makes."""
    since: str = ""
    """Date of a deprecation."""

    @property
    def target(self) -> str:
        """The first word, if it is a name."""
        first = self.words[0] if self.words else ""
        return first if _PLAIN_NAME.match(first) else ""


def attributes(text: str) -> list[Attribute]:
    """Attributes in the text between `@[` and `]`, those in `(attr := …)` included.

    Args:
        text: as in the source, comments and strings kept.
    """
    found = []
    for part in _split(text):
        name = _NAME.match(part)
        if name is None:
            continue
        rest = part[name.end() :]
        doc = _DOC.search(rest)
        rest = _DOC.sub(" ", rest)
        since = _SINCE.search(rest)
        string = _STRING.search(_without_groups(rest)) if doc is None else doc
        plain = _STRING.sub(" ", _without_groups(rest))
        found.append(
            Attribute(
                name[1],
                tuple(plain.split()),
                string[1].strip() if string else "",
                since[1] if since else "",
            )
        )
        inner = re.search(r"\(\s*attr\s*:=", rest)
        if inner is not None:
            end = closing_at(rest, inner.start())
            found.extend(attributes(rest[inner.end() : end - 1]))
    return found


def _split(text: str) -> Iterator[str]:
    """Parts of a list separated by commas outside brackets, comments and strings."""
    depth, start, at = 0, 0, 0
    while at < len(text):
        character = text[at]
        if text.startswith("/--", at):
            end = text.find("-/", at)
            at = len(text) if end < 0 else end + 2
            continue
        if character == '"':
            string = _STRING.match(text, at)
            at = string.end() if string else len(text)
            continue
        if character in OPENING:
            depth += 1
        elif character in CLOSING:
            depth -= 1
        elif character == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
        at += 1
    yield text[start:].strip()


def _without_groups(text: str) -> str:
    kept, at = [], 0
    while (opening := text.find("(", at)) >= 0:
        kept.append(text[at:opening])
        at = closing_at(text, opening)
    kept.append(text[at:])
    return " ".join(kept)
