"""Holes of a sketch as theorems of their own, and proofs of them put back where they were.

A goal is told as Lean prints it, with names that a text cannot write: those of macros and those
that another name hides. Both sides of a hole give such names anew, in the same way: the theorem
in its binders, the sketch by `rename_i`. Nothing here is trusted: a theorem that says something
else than its goal does not fit into the hole, which Lean finds out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragsolver_contracts.lean import Binder, HoleView

_HIDDEN = re.compile(r"([^\s()\[\]{}⦃⦄,:@.]+?)✝([⁰¹²³⁴⁵⁶⁷⁸⁹]*)")
_WORD = re.compile(r"[\w'!?✝⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_SORT = re.compile(r"(?:Type|Sort|\.\{)\s*(\([^()]*\)|[^\s()\[\]{}⦃⦄,:→]+)")
_UNIVERSE = re.compile(r"^[ \t]*universes?[ \t]+([^\n:]+)$", re.MULTILINE)
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NOT_LEGAL = re.compile(r"[^A-Za-z0-9_']+")


@dataclass(frozen=True)
class Stated:
    """A goal as a theorem."""

    declaration: str
    statement: str
    """`theorem name … : type`, ending before `:=`."""
    names: tuple[str, ...]
    """Its binders' names, in order: what it is applied to in its hole."""
    renamed: tuple[str, ...]
    """Those of them that the sketch has to give first, in order."""


def stated(
    hole: HoleView, declaration: str, *, levels: Sequence[str] = (), header: str = ""
) -> Stated:
    """The goal of a hole as a theorem.

    Args:
        hole: the goal as elaborated.
        declaration: name of the theorem.
        levels: universe parameters of the statement that the sketch is for.
        header: of that statement; universes that it declares need no declaration.
    """
    shown, names, renamed = _named(hole)
    parts = [
        _bracketed(binder, name, shown)
        for binder, name in zip(hole.view.binders, names, strict=True)
    ]
    target = _renamed(hole.view.target, shown)
    universes = _universes([*(b.type for b in hole.view.binders), target], levels, header)
    return Stated(
        declaration,
        " ".join([f"theorem {declaration}{universes}", *parts, f": {target}"]),
        names,
        renamed,
    )


def declaration_of(parent: str, attempt: int, hole_id: str) -> str:
    """A legal name for the theorem of a hole, in the namespace of the parent's.

    Args:
        parent: the parent's declaration, which may be quoted or odd.
        attempt: number of the attempt.
        hole_id: the hole.
    """
    parts = [_NOT_LEGAL.sub("_", part).strip("_") for part in parent.split(".")]
    legal = [part if not part[0].isdigit() else f"p{part}" for part in parts if part]
    if legal and legal[0] == "root":
        legal = legal[1:]
    return f"{'.'.join(legal) or 'problem'}_a{attempt}_{hole_id}"


def applied(theorem: Stated, name: str) -> str:
    """The term that closes the hole by its theorem, called `name` there."""
    return " ".join([f"@{name}", *theorem.names])


def spliced(sketch: str, holes: Sequence[HoleView], fills: Sequence[tuple[Stated, str]]) -> str:
    """The sketch with each hole closed by a term.

    Args:
        sketch: the proof's text; positions of the holes count in it.
        holes: what to replace, in the order of the text.
        fills: for each hole its theorem and the term, which may have several lines.
    """
    lines = sketch.split("\n")
    for hole, (theorem, term) in reversed(list(zip(holes, fills, strict=True))):
        first, last = hole.start.line - 1, hole.end.line - 1
        before, after = lines[first][: hole.start.column], lines[last][hole.end.column :]
        text = _closing(hole, theorem, term, len(before))
        lines[first : last + 1] = [before + text + after]
    return "\n".join(lines)


def _closing(hole: HoleView, theorem: Stated, term: str, column: int) -> str:
    named = f"rename_i {' '.join(theorem.renamed)}; " if theorem.renamed else ""
    margin = " " * (column + 4)
    body = f"\n{margin}".join(["", *term.split("\n")]) if "\n" in term else term
    opened = "(by " if hole.is_term else "("
    return f"{opened}{named}exact ({body}))"


def _named(hole: HoleView) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]:
    """Written names for shown ones, the binders' names, and those that are new.

    Lean shows a hidden name `x` as `x✝`, then `x✝¹`, from the last to the first; hidden is one
    that a macro made, and one that a later binder has too.
    """
    binders = hole.view.binders
    texts = [*(binder.type for binder in binders), hole.view.target]
    taken = {word for text in texts for word in _WORD.findall(text)}
    taken |= {binder.name for binder in binders}
    seen: set[str] = set()
    counts: dict[str, int] = {}
    shown: dict[str, str] = {}
    names: list[str] = []
    renamed: list[str] = []
    for binder in reversed(binders):
        stem = binder.name.removesuffix("✝")
        if stem == binder.name and stem not in seen:
            seen.add(stem)
            names.append(stem)
            continue
        count = counts.get(stem, 0)
        counts[stem] = count + 1
        fresh = _fresh(stem, taken)
        taken.add(fresh)
        shown[f"{stem}✝{_superscript(count)}"] = fresh
        names.append(fresh)
        renamed.append(fresh)
    return shown, tuple(reversed(names)), tuple(reversed(renamed))


def _superscript(count: int) -> str:
    return str(count).translate(_SUPERSCRIPT) if count else ""


def _fresh(stem: str, taken: Iterable[str]) -> str:
    legal = _NOT_LEGAL.sub("", stem).lstrip("0123456789'_") or "x"
    number = 1
    while f"{legal}_{number}" in taken:
        number += 1
    return f"{legal}_{number}"


def _renamed(text: str, shown: dict[str, str]) -> str:
    return _HIDDEN.sub(lambda found: shown.get(found[0], found[0]), text)


def _bracketed(binder: Binder, name: str, shown: dict[str, str]) -> str:
    """Explicit but for instances, so that every name can be given in the hole."""
    said = f"{name} : {_renamed(binder.type, shown)}"
    return f"[{said}]" if binder.binder == "instance" else f"({said})"


def _universes(texts: Iterable[str], levels: Sequence[str], header: str) -> str:
    """Those of the parent's universes that occur, as far as the header does not declare them."""
    declared = {name for line in _UNIVERSE.findall(header) for name in line.split()}
    found = {w for text in texts for sort in _SORT.findall(text) for w in _WORD.findall(sort)}
    own = [level for level in levels if level in found and level not in declared]
    return f".{{{', '.join(own)}}}" if own else ""
