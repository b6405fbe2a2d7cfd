"""Names and formulas that `to_additive` and `to_dual` make of others.

The dictionaries are read from the source tree itself, where it has them (Mathlib); so they are
those of the very version that is read. What cannot be found is translated by a few own rules.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

_FILES = {"to_additive": "ToAdditive.lean", "to_dual": "ToDual.lean"}
_WORD_RULE = re.compile(r'^\s*\("([^"]+)", \[([^\]]*)\]\)', re.MULTILINE)
_PHRASE_RULE = re.compile(r'^\s*\("([^"]+)", "([^"]+)"\)', re.MULTILINE)
_QUOTED = re.compile(r'"([^"]+)"')
_IDENTIFIER = re.compile(r"[^\W\d][\w'!?₀-₉]*(?:\.[^\W\d][\w'!?₀-₉]*)*")
_ENDS_IN_CAPITALS = {"LE": ("",), "LT": ("",), "GE": ("",), "GT": ("",), "WF": ("",)}
_MOST_PARTS = 6

_OWN_WORDS = {
    "to_additive": {"mul": "Add", "one": "Zero", "inv": "Neg", "div": "Sub", "prod": "Sum"},
    "to_dual": {"sup": "Inf", "inf": "Sup", "top": "Bot", "bot": "Top", "max": "Min"},
}
_SYMBOLS = {
    "to_additive": str.maketrans({"*": "+", "/": "-", "∏": "∑", "1": "0"}),
    "to_dual": str.maketrans(
        {"⊔": "⊓", "⊓": "⊔", "⊤": "⊥", "⊥": "⊤", "⨆": "⨅", "⨅": "⨆"}
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Dictionary:
    """What one attribute makes of names and formulas."""

    attribute: str
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Word in lower case to capitalised words."""
    phrases: dict[str, str] = field(default_factory=dict)
    """Several words, joined with a small first letter, to one capitalised name."""

    def name(self, name: str) -> str:
        """The translated name, each component by itself."""
        return ".".join(self._component(part) for part in name.split("."))

    def formula(self, text: str) -> str:
        """A formula with its identifiers and symbols translated; only as good as a text can be."""
        parts, at = [], 0
        symbols = _SYMBOLS[self.attribute]
        for found in _IDENTIFIER.finditer(text):
            parts.append(text[at : found.start()].translate(symbols))
            parts.append(self.name(found[0]))
            at = found.end()
        parts.append(text[at:].translate(symbols))
        return "".join(parts)

    def _component(self, component: str) -> str:
        translated: list[str] = []
        for part in split_case(component):
            found = self.words.get(part.lower())
            if found is None:
                translated.append(part)
            else:
                first = found[0] if part[0].isupper() else _small(found[0])
                translated.extend((first, *found[1:]))
        return self._phrases_joined(translated)

    def _phrases_joined(self, parts: list[str]) -> str:
        joined, at = "", 0
        while at < len(parts):
            for end in range(at + 1, min(len(parts), at + _MOST_PARTS) + 1):
                together = "".join(parts[at:end])
                if "_" in together and together[0].isupper():
                    continue
                found = self.phrases.get(_small(together))
                if found is not None:
                    joined += found if together[0].isupper() else _small(found)
                    at = end
                    break
            else:
                joined += parts[at]
                at += 1
        return joined


def read_dictionaries(roots: list[Path]) -> dict[str, Dictionary]:
    """The dictionaries of the first tree that has them, else small own ones.

    Args:
        roots: source trees: the project's, then those of its packages.
    """
    found = {}
    for attribute, file in _FILES.items():
        paths = (root / "Mathlib" / "Tactic" / "Translate" / file for root in roots)
        path = next((path for path in paths if path.is_file()), None)
        if path is None:
            own: dict[str, tuple[str, ...]] = {w: (to,) for w, to in _OWN_WORDS[attribute].items()}
            found[attribute] = Dictionary(attribute, own)
            continue
        text = path.read_text("utf-8", errors="replace")
        words = {m[1].lower(): tuple(_QUOTED.findall(m[2])) for m in _WORD_RULE.finditer(text)}
        phrases = {m[1]: m[2] for m in _PHRASE_RULE.finditer(text)}
        found[attribute] = Dictionary(
            attribute, {word: to for word, to in words.items() if to}, phrases
        )
    return found


def split_case(component: str) -> list[str]:
    """A name component in words, underscores kept: `InvHMul_ne` is `Inv`, `HMul`, `_`, `ne`."""
    parts: list[str] = []
    start, at = 0, 1
    while start < len(component):
        if at >= len(component):
            parts.append(component[start:])
            break
        here, before = component[at], component[at - 1]
        ends = here == "_" or component[start] == "_"
        if here.isupper() and not ends:
            ends = not before.isupper() or component[start:at] in _ENDS_IN_CAPITALS
        if ends:
            parts.append(component[start:at])
            start = at
        at += 1
    return parts


def _small(name: str) -> str:
    """The name with its first capitals made small."""
    at = 0
    while at < len(name) and name[at].isupper():
        at += 1
    return name[:at].lower() + name[at:]
