"""Lean source with comments and strings blanked out, so that what is left is code.

Positions stay the same: every character of a comment or of a string becomes a blank or an
underscore, newlines are kept.
"""

import re
from typing import NamedTuple

_OPENING = re.compile(r"""/-|--|r#"|r"|"|'(?:\\.|[^\\'\n])'""")
_OTHER_THAN_NEWLINE = re.compile(r"[^\n]")


class Comment(NamedTuple):
    """A documentation comment and where it stands."""

    start: int
    end: int
    text: str
    """Without the marks around it."""


class Masked(NamedTuple):
    """Source in which only code is left."""

    code: str
    """As long as the source."""
    docs: tuple[Comment, ...]
    """Comments `/-- … -/` that belong to a declaration, in order."""
    module_docs: tuple[Comment, ...]
    """Comments `/-! … -/` that belong to the module, in order."""


def mask(source: str) -> Masked:
    """The source with comments and the inside of strings blanked out."""
    kept: list[str] = []
    docs: list[Comment] = []
    module_docs: list[Comment] = []
    at = copied = 0
    while (found := _OPENING.search(source, at)) is not None:
        start, opening = found.start(), found[0]
        if opening[0] == "'":  # a character, perhaps a quotation mark; or part of a name
            at = found.end() if not _in_name(source, start) else start + 1
            continue
        kept.append(source[copied:start])
        if opening == "--":
            end = source.find("\n", start)
            end = len(source) if end < 0 else end
            kept.append(" " * (end - start))
        elif opening == "/-":
            end = _comment_end(source, start)
            whole = source[start:end]
            if whole.startswith("/--"):
                docs.append(Comment(start, end, whole[3:-2].strip()))
            elif whole.startswith("/-!"):
                module_docs.append(Comment(start, end, whole[3:-2].strip()))
            kept.append(_OTHER_THAN_NEWLINE.sub(" ", whole))
        else:
            end = _string_end(source, found.end(), opening)
            kept.append(_OTHER_THAN_NEWLINE.sub("_", source[start:end]))
        at = copied = end
    kept.append(source[copied:])
    return Masked("".join(kept), tuple(docs), tuple(module_docs))


def _in_name(source: str, at: int) -> bool:
    """Whether a quotation mark is the prime of a name such as `f'`."""
    return at > 0 and (source[at - 1].isalnum() or source[at - 1] in "_'!?")


def _comment_end(source: str, start: int) -> int:
    """Position after a block comment; comments nest."""
    depth, at = 1, start + 2
    while depth:
        closing = source.find("-/", at)
        if closing < 0:
            return len(source)
        inner = source.find("/-", at, closing)
        if inner >= 0:
            depth, at = depth + 1, inner + 2
        else:
            depth, at = depth - 1, closing + 2
    return at


def _string_end(source: str, at: int, opening: str) -> int:
    """Position after a string whose opening ends at `at`."""
    if opening.startswith("r"):
        closing = '"#' if opening == 'r#"' else '"'
        end = source.find(closing, at)
        return len(source) if end < 0 else end + len(closing)
    while at < len(source):
        if source[at] == "\\":
            at += 2
        elif source[at] == '"':
            return at + 1
        else:
            at += 1
    return len(source)
