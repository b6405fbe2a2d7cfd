"""The files of a library put together: each name once, references resolved, mentions counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
"""`FileFound` as JSON gives it back."""

_SUFFIX = 3
"""Components of a name by which a mention inside an open namespace is recognised."""


@dataclass
class Assembled:
    """A library's declarations and what was noticed on the way."""

    declarations: list[Record] = field(default_factory=list)
    duplicates: int = 0
    private: int = 0
    by_origin: dict[str, int] = field(default_factory=dict)


def assemble(files: Iterable[Record]) -> Assembled:
    """One library of its files, in their order.

    Of two declarations with one name the one that a person wrote is kept, else the first.
    """
    found = Assembled()
    kept: dict[str, Record] = {}
    mentions: Counter[str] = Counter()
    for file in files:
        found.private += file["left_out"]
        mentions.update(file["mentions"])
        notes = _notes(file["bullets"])
        for declaration in file["declarations"]:
            before = kept.get(declaration["name"])
            if before is not None:
                found.duplicates += 1
                if not before.get("origin") or declaration.get("origin"):
                    continue
            declaration["context"] = _context(file["title"], declaration.pop("heading", ""))
            note = _note(declaration, notes)
            if note:
                declaration["note"] = note
            kept[declaration["name"]] = declaration
    for declaration in kept.values():
        declaration.setdefault("type", "")
        _resolve(declaration, kept)
        declaration["mentions"] = mentioned(declaration["name"], mentions)
    found.declarations = list(kept.values())
    found.by_origin = dict(Counter(d.get("origin", "") for d in found.declarations))
    return found


def mentioned(name: str, mentions: Mapping[str, int]) -> int:
    """How often a name is written, also without its first components.

    A last component alone counts only where it is telling: with an underscore, or the whole name.
    """
    parts = name.split(".")
    total = 0
    for start in range(max(0, len(parts) - _SUFFIX), len(parts)):
        if len(parts) - start > 1 or len(parts) == 1 or "_" in parts[-1]:
            total += mentions.get(".".join(parts[start:]), 0)
    return total


def _context(title: str, heading: str) -> str:
    return ". ".join(filter(None, (title, heading)))


def _notes(bullets: Iterable[Sequence[str]]) -> dict[str, list[tuple[str, str]]]:
    by_last: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, text in bullets:
        by_last[name.rpartition(".")[2]].append((name, text))
    return by_last


def _note(declaration: Record, notes: Mapping[str, list[tuple[str, str]]]) -> str:
    """What the module's lists say of a declaration; a made one is not what they speak of."""
    name = declaration["name"]
    if declaration.get("origin") not in (None, "", "alias", "field"):
        return ""
    said = (
        text
        for listed, text in notes.get(name.rpartition(".")[2], ())
        if name == listed or name.endswith(f".{listed}")
    )
    return " ".join(dict.fromkeys(said))


def _resolve(declaration: Record, known: Mapping[str, Record]) -> None:
    """Make one successor of the candidates: the first that exists and is another."""
    candidates = declaration.pop("successor", ())
    name = declaration["name"]
    target = next((c for c in candidates if c in known and c != name), "")
    if not target:
        return
    declaration["successor"] = target
    if declaration.get("origin") == "alias":
        declaration["origin_of"] = target
        if not declaration.get("type"):
            declaration["type"] = known[target].get("type", "")
