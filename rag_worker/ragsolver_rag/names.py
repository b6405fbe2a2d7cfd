"""Identifiers: found in Lean's messages, looked up exactly, or the closest that exist."""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ragsolver_rag.tokenize import words

_QUOTED = re.compile(r"`([^`\s]+)`|(?<!\w)'([^\s'`]+'*)'(?!\w)")
_IDENTIFIER = re.compile(r"[^\W\d][\w'!?]*(?:\.[^\W\d][\w'!?]*)*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789._'?!"
_PLACE = {letter: place for place, letter in enumerate(_LETTERS)}
_OTHER = len(_LETTERS)
_PRESELECTED = 150
_SAME_LAST, _WORDS, _SPELLING, _SAME_NAMESPACE = 0.35, 0.3, 0.25, 0.1


def identifiers_in(text: str) -> list[str]:
    """Identifiers that a message of Lean is about, or the text itself where it is one.

    Args:
        text: ``unknown identifier 'Nat.add_comm'``, ``Unknown constant `Nat.foo` ``, or `Nat.foo`.
    """
    quoted = [a or b for a, b in _QUOTED.findall(text)]
    named = [name for name in quoted if _IDENTIFIER.fullmatch(name)]
    if not named and _IDENTIFIER.fullmatch(text.strip()):
        named = [text.strip()]
    return list(dict.fromkeys(named))


def qualified_in(text: str) -> list[str]:
    """Words of a text that only a Lean name looks like: with an inner dot or underscore."""
    found = (word.strip("'") for word in _IDENTIFIER.findall(text))
    return list(dict.fromkeys(w for w in found if "." in w or "_" in w.strip("_")))


def edit_distance(a: str, b: str) -> int:
    """Levenshtein distance: insertions, deletions and replacements of one character."""
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        current = [i]
        for j, y in enumerate(b, start=1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


class NameIndex:
    """All names of an index, for exact and for near look-ups. Built at the first near look-up."""

    def __init__(self, names: Callable[[], Sequence[str]]) -> None:
        """Remember where to get the names.

        Args:
            names: every declaration name; called once.
        """
        self._load = names
        self._lock = threading.Lock()
        self._names: Sequence[str] | None = None
        self._known: frozenset[str] = frozenset()
        self._counts: npt.NDArray[np.int8] = np.zeros((0, _OTHER + 1), np.int8)
        self._by_last: dict[str, list[int]] = {}
        self._by_word: dict[str, list[int]] = {}

    def known(self, names: Sequence[str]) -> list[str]:
        """Those of the names that exist; `_root_.` is looked through."""
        self._ensure()
        plain = (name.removeprefix("_root_.") for name in names)
        return list(dict.fromkeys(name for name in plain if name in self._known))

    def closest(self, name: str, limit: int) -> list[str]:
        """Existing names most like a name that may not exist, best first; itself if it exists.

        What counts: the same last component, words in common, spelling, the same namespace.
        """
        all_names = self._ensure()
        name = name.removeprefix("_root_.")
        candidates = self._preselect(name)
        ranked = sorted(candidates, key=lambda i: (-likeness(name, all_names[i]), all_names[i]))
        return [all_names[i] for i in ranked[:limit]]

    def _preselect(self, name: str) -> set[int]:
        """The names worth comparing letter by letter."""
        far = np.abs(self._counts - _letter_counts([name])).sum(axis=1, dtype=np.int16)
        count = min(_PRESELECTED, len(far))
        chosen = set(np.argpartition(far, count - 1)[:count].tolist()) if count else set()
        same_last = self._by_last.get(_last(name), [])
        chosen.update(same_last[:_PRESELECTED])
        shared: dict[int, float] = defaultdict(float)
        for word in set(words(name)):
            holding = self._by_word.get(word, [])
            for i in holding:
                shared[i] += 1.0 / len(holding) ** 0.5
        chosen.update(sorted(shared, key=lambda i: -shared[i])[:_PRESELECTED])
        return chosen

    def _ensure(self) -> Sequence[str]:
        with self._lock:
            if self._names is None:
                names = self._load()
                by_last, by_word = defaultdict(list), defaultdict(list)
                for i, name in enumerate(names):
                    by_last[_last(name)].append(i)
                    for word in set(words(name)):
                        by_word[word].append(i)
                self._known = frozenset(names)
                self._counts = _letter_counts(names)
                self._by_last, self._by_word = dict(by_last), dict(by_word)
                self._names = names
            return self._names


def likeness(wanted: str, name: str) -> float:
    """How much an existing name is like a wanted one: 0 to 1; 1 only for the name itself."""
    a, b = set(words(wanted)), set(words(name))
    in_common = len(a & b) / len(a | b) if a | b else 0.0
    longest = max(len(wanted), len(name), 1)
    spelling = 1.0 - edit_distance(wanted.lower(), name.lower()) / longest
    score = _WORDS * in_common + _SPELLING * spelling
    score += _SAME_LAST * (_last(wanted) == _last(name))
    score += _SAME_NAMESPACE * (_namespace(wanted) == _namespace(name))
    return score if wanted == name else min(score, 0.999)


def _last(name: str) -> str:
    return name.rpartition(".")[2].rstrip("'").lower()


def _namespace(name: str) -> str:
    return name.rpartition(".")[0]


def _letter_counts(names: Sequence[str]) -> npt.NDArray[np.int8]:
    """How often each letter occurs, one row per name: a cheap bound on the edit distance."""
    counts = np.zeros((len(names), _OTHER + 1), np.int8)
    for row, name in enumerate(names):
        for letter in name.lower()[:120]:
            counts[row, _PLACE.get(letter, _OTHER)] += 1
    return counts
