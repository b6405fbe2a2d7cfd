"""Module documentation: title, headings, and the lists that describe declarations by name."""

import re

_TITLE = re.compile(r"^#\s+(.+)$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,4}\s+(.+)$", re.MULTILINE)
_BULLET = re.compile(
    r"^[ \t]*[*\-+][ \t]+(?P<names>(?:\*{0,2}`[^`\n]+`\*{0,2}(?:[,;/ ]|\band\b|\bor\b)*)+)"
    r"[:;,.—–-]*[ \t]*(?P<text>(?:.|\n(?![ \t]*[*\-+#]|[ \t]*\n))*)",
    re.MULTILINE,
)
_NAME = re.compile(r"`([^`\s]+)(?:\s[^`]*)?`")
_MOST = 600
"""Characters of a description that are kept."""


def title(text: str) -> str:
    """The first title of a module documentation; empty if it has none."""
    found = _TITLE.search(text)
    return found[1].strip() if found else ""


def last_heading(text: str) -> str:
    """The last heading in a comment of the module; what follows it is about that.

    The comment with the module's title has none: its headings are those of lists.
    """
    found = _HEADING.findall(text) if not _TITLE.search(text) else []
    return found[-1].strip() if found else ""


def bullets(text: str) -> list[tuple[str, str]]:
    """Pairs of a declaration's name and what a list in the documentation says of it."""
    pairs: list[tuple[str, str]] = []
    for item in _BULLET.finditer(text):
        said = " ".join(item["text"].split())[:_MOST]
        if not said:
            continue
        names = _NAME.findall(item["names"])
        pairs.extend((name.removeprefix("_root_."), said) for name in names)
    return pairs
