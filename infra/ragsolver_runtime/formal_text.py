"""Formal text as datasets publish it: which part is the statement, and what must not go on.

This is reading, not elaborating, as in `lean_files`: only Lean decides what a text means.
"""

import re
from dataclasses import dataclass

from ragsolver_runtime.lean_files import (
    MODIFIERS,
    SORRY,
    THEOREM,
    commands,
    first_assignment,
    mask,
    split_doc,
)

_LEMMA = re.compile(r"\s*lemma\b")
_EXAMPLE = re.compile(r"\Aexample\b")
_IMPORT = re.compile(r"^import[ \t]+\S+", re.MULTILINE)
_NAMED = re.compile(
    r"(?:abbrev|def|instance|opaque|axiom|class|structure|inductive)\s+([^\s:({\[⦃]+)"
)
_FOR_ONE = re.compile(
    r"^((?:open|set_option|include|omit|variable)\b[^\n]*?)\bin(\s+)"
    r"(?=theorem|lemma|example|private|protected|@\[|open|set_option|include|omit|variable)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class FormalText:
    """A formal text in parts."""

    header: str
    """What stands before the statement, without comments and without other open theorems."""
    statement: str
    """`theorem name … : type`, ending before `:=`; if there is no theorem, the last command."""
    doc: str = ""
    """The statement's documentation comment."""
    name: str = ""
    """Name of the theorem, as written."""


def without_proof(text: str) -> str:
    """A statement without the `:=`, `:= by`, `:= sorry` or `:= by sorry` at its end.

    Comments and blanks there go, too. A proof that is more than a hole is kept.
    """
    masked = mask(text)
    return text[: len(_without_hole(masked))]


def _without_hole(masked: str) -> str:
    """The masked text without a missing proof at its end."""
    kept = masked.rstrip()
    rest = _without_word(_without_word(kept, "sorry"), "by")
    return rest[: -len(":=")].rstrip() if rest.endswith(":=") else kept


def _without_word(text: str, word: str) -> str:
    before = text.removesuffix(word)
    part_of_a_name = before[-1:].isalnum() or before[-1:] in ("_", ".", "'")
    return text if before == text or part_of_a_name else before.rstrip()


def as_theorem(statement: str) -> str:
    """The statement with `lemma`, a word of Mathlib's, as `theorem`."""
    found = _LEMMA.match(mask(statement))
    if found is None:
        return statement
    at = found.end() - len("lemma")
    return f"{statement[:at]}theorem{statement[found.end() :]}"


def without_comments(text: str) -> str:
    """The text without comments and documentation, and without the blanks that they leave."""
    lines = (line.rstrip() for line in mask(text, strings=False).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def open_definition(header: str, statement: str) -> str | None:
    """What is left open in the things that a statement rests on; none when nothing is.

    Args:
        header: Lean text before the statement.
        statement: without its proof.

    Returns:
        The name of a definition that contains `sorry`, or words for what has no name.
    """
    for text in (header, statement):
        masked = mask(text)
        for start, end in commands(masked) if SORRY.search(masked) else ():
            found = _left_open(masked[start:end])
            if found is not None:
                return found
    return None


def _left_open(block: str) -> str | None:
    if _theorem_at(block):
        stop = first_assignment(block)
        return "a term in the statement" if SORRY.search(block[:stop]) else None
    if not SORRY.search(block):
        return None
    named = _NAMED.search(block)
    return f"`{named[1]}`" if named else "a definition before the statement"


def split_formal(text: str) -> FormalText:
    """The parts of a formal text that may bring imports, definitions, comments and a proof.

    The statement is that of the last theorem that is open, or else of the last one. Whatever
    proves it, and whatever follows it, is left out.
    """
    clean = _FOR_ONE.sub(_for_all, mask(text, strings=False))
    masked = mask(clean)
    every = commands(masked)
    theorems = [(s, e) for s, e in every if _theorem_at(masked[s:e])]
    missing = [(s, e) for s, e in theorems if _is_open(masked[s:e])]
    if not every:
        return FormalText("", without_comments(text))
    start, end = (missing or theorems or every)[-1]
    begins = start + _keyword(masked[start:end])
    stop = len(_without_hole(masked[begins:end]))
    if (assigned := first_assignment(masked[begins:end])) is not None:
        stop = min(stop, len(masked[begins : begins + assigned].rstrip()))
    header, written = "", 0
    for other, other_end in missing:
        if other_end <= start:
            header, written = header + clean[written:other], other_end
    statement = as_theorem(_squeezed(clean[begins : begins + stop]))
    line = text.count("\n", 0, begins) + 1
    named = THEOREM.match(masked, begins)
    return FormalText(
        header=_squeezed(header + clean[written:start]),
        statement=_EXAMPLE.sub(f"theorem example_{line}", statement),
        doc=split_doc(text[:start])[1],
        name=(named[1] if named else None) or "",
    )


def joined_headers(first: str, second: str) -> str:
    """One header of two: the imports of both at the top, each once."""
    second = second.strip()
    if not first.strip() or not second:
        return first.strip() or second
    brought = [line for line in dict.fromkeys(_IMPORT.findall(second)) if line not in first]
    rest = _IMPORT.sub("", second).strip()
    return "\n".join([*brought, "\n\n".join(filter(None, (first.strip(), rest)))])


def _theorem_at(block: str) -> bool:
    return THEOREM.match(block, _keyword(block)) is not None


def _keyword(block: str) -> int:
    """Where the command's keyword stands, after attributes and modifiers."""
    modifiers = MODIFIERS.match(block)
    return modifiers.end() if modifiers else 0


def _is_open(block: str) -> bool:
    """Whether the proof is missing, or has a hole."""
    assigned = first_assignment(block)
    stop = len(_without_hole(block))
    return assigned is None or stop <= assigned or SORRY.search(block, assigned) is not None


def _for_all(found: re.Match[str]) -> str:
    """`open X in` as `open X`, in as many characters: nothing follows that it could disturb."""
    blanks = found[2] if "\n" in found[2] else found[2][:-1] + "\n"
    return f"{found[1]}  {blanks}"


def _squeezed(text: str) -> str:
    lines = (line.rstrip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
