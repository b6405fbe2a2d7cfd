"""English word forms brought together: `continuous` and `continuity`, `mapping` and `map`.

Light: only endings that mathematical English changes often. The result is no word and stays as
it is when it is stemmed again.
"""

from functools import lru_cache
from typing import Final

_NO_PLURALS: Final = ("ss", "us", "is", "as", "os")
_PLURALS: Final = (("sses", "ss"), ("ies", "y"))
_ENDINGS: Final = (
    "ability", "ibility", "iveness", "ousness", "ation", "ating", "ated", "ator", "ness", "able",
    "ible", "ably", "ency", "ence", "ity", "ous", "ent", "ing", "ate", "ed", "ly", "e",
)  # fmt: skip
"""Endings that go, the longest first."""
_KEPT: Final = {"ability": "abl", "able": "abl", "ably": "abl", "ibility": "ibl", "ible": "ibl"}
"""What of an ending stays, so that `measurable` and `measure` remain two things."""
_LEAST: Final = 4
"""Letters that must stay before an ending."""
_UNTOUCHED: Final = frozenset(
    [
        "string",
        "ring",
        "bring",
        "spring",
        "thing",
        "union",
        "element",
        "component",
        "exponent",
        "present",
        "agreement",
        "content",
        "proposition",
        "one",
        "none",
        "some",
        "same",
        "time",
        "type",
        "size",
        "base",
        "case",
        "like",
        "make",
        "take",
        "state",
        "note",
        "finite",
        "infinite",
        "definite",
        "site",
        "lattice",
        "space",
        "face",
    ]
)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The stem of a lower-case word."""
    while (shorter := _once(word)) != word:
        word = shorter
    return word


def _once(word: str) -> str:
    if not word.isascii() or not word.isalpha() or word in _UNTOUCHED:
        return word
    for ending, instead in _PLURALS:
        if len(word) > len(ending) + 1 and word.endswith(ending):
            return word[: -len(ending)] + instead
    if len(word) > 3 and word.endswith("s") and not word.endswith(_NO_PLURALS):
        return word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            base = word[: -len(ending)] + _KEPT.get(ending, "")
            if ending in {"ing", "ed"} and len(base) > 2 and base[-1] == base[-2] not in "lsz":
                base = base[:-1]
            return base
    return word
