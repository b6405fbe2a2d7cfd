"""Untrusted text in a prompt: between marks that it cannot write itself.

The mark is made from the text, so that the same question is the same request, and whatever in the
text looks like a mark is broken up. That fenced text is data stands in every system prompt; that
it cannot give orders rests on more than words: an answer fills a schema and nothing else, and
what it proposes is judged by Lean.
"""

import re
import unicodedata

from ragsolver_contracts.ids import digest

MOST = 20_000
"""Characters of one fenced text at most."""
_MARK = re.compile(r"⟦(?=\s*(?:data|end)\b)", re.IGNORECASE)
_KEPT = frozenset("\n\t")


def fence(name: str, text: str, most: int = MOST) -> str:
    """The text between its marks.

    Args:
        name: what it is, one word of ours.
        text: anything at all.
        most: characters that are kept; the middle of a longer text is left out, which is said.
    """
    safe = _MARK.sub("⟦ ", clip(printable(text), most))
    token = _token(name, safe)
    return f"⟦data {name} {token}⟧\n{safe}\n⟦end {name} {token}⟧"


def printable(text: str) -> str:
    """The text without what a reader does not see: controls, and marks of direction."""
    lines = re.sub(r"\r\n?", "\n", text)
    return "".join(c for c in lines if c in _KEPT or unicodedata.category(c) not in _HIDDEN)


_HIDDEN = frozenset({"Cc", "Cf", "Cs"})


def clip(text: str, most: int) -> str:
    """The beginning and the end of a text that is too long."""
    if len(text) <= most:
        return text
    left_out = len(text) - most
    half = most // 2
    return (
        f"{text[:half]}\n… ({left_out} characters left out) …\n{text[len(text) - most + half :]}"
    )


def one_line(text: str, most: int = 400) -> str:
    """The text in one line, so that it cannot begin another entry of a list."""
    line = " ".join(printable(text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _token(name: str, text: str) -> str:
    """A mark that the text does not hold."""
    token = digest(name, text)[:16]
    while token in text:
        token = digest(token, text)[:16]
    return token
