"""Text to search terms, the same for corpus and queries; and the term statistics of BM25.

Names are split at dots, underscores and capitals; symbols, LaTeX and Unicode become words; words
that mean the same become one term. The rules and what is proved of them are stated in
`contracts/behaviour/tokenize.yaml`.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ragsolver_rag.lexicon import (
    BLACKBOARD,
    CANONICAL,
    LATEX,
    PHRASES,
    SPELLINGS,
    STOP,
    SYMBOLS,
)
from ragsolver_rag.stem import stem
from ragsolver_rag.synonyms import ARROWS

TEXT_VERSION = 4
"""Part of the index's identity: raise it whenever the same text gives other terms or texts."""

_SUBSCRIPTS = dict.fromkeys(map(ord, "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"))
_BLACKBOARD = re.compile(r"\\mathbb\s*\{?\s*([A-Z])\s*\}?")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_SYMBOL = re.compile("|".join(re.escape(s) for s in sorted(SYMBOLS, key=len, reverse=True)))
_ARROW = re.compile("|".join(re.escape(s) for s in sorted(ARROWS, key=len, reverse=True)))
_ESCAPED = re.compile(r"\\([{}#,;:!%&_ |])")
_ESCAPES = {"|": "‖", "#": "#"}
_HYPHEN = re.compile(r"(?<=[\w`$)])-(?=[^\W\d_])")
"""Between words, after a number or a formula: `2-category`, `$p$-adic`; no subtraction."""
_WORD = re.compile(
    r"U?Int(?:8|16|32|64)(?![0-9])|[UI]Size"  # machine integers are one word
    r"|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\W\d_A-Za-z]+"
)
_LETTERS = frozenset("a")
"""Stop words that are variables, too."""
_LONGEST_PHRASE = max(len(p) for p in PHRASES)


def _plain(text: str) -> str:
    """LaTeX and symbols turned into words, accents and subscripts dropped."""
    text = _ESCAPED.sub(lambda m: f" {_ESCAPES.get(m[1], '')} ", text)
    text = _BLACKBOARD.sub(lambda m: f" {BLACKBOARD.get(m[1], m[1])} ", text)
    text = _COMMAND.sub(lambda m: f" {LATEX.get(m[1], '')} ", text)
    text = _ARROW.sub(lambda m: f" {ARROWS[m[0]]} ", text)
    text = _HYPHEN.sub(" ", text).translate(_SUBSCRIPTS)
    text = _SYMBOL.sub(lambda m: f" {SYMBOLS[m[0]]} ", text)
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def words(text: str) -> list[str]:
    """Lower-case words of a text in order, nothing merged and nothing left out.

    Args:
        text: English, LaTeX, a Lean name or a Lean type.
    """
    lowered = (w.lower() for w in _WORD.findall(_plain(text)))
    kept = (w if w.isalnum() else "".join(c for c in w if c.isalnum()) for w in lowered)
    return [w for w in kept if w]


@lru_cache(maxsize=100_000)
def _canonical(word: str) -> str:
    """One word for all forms and spellings; of the result it is the result again."""
    seen = {word}
    while True:
        word = SPELLINGS.get(word, word)
        if word in CANONICAL:
            return CANONICAL[word]
        word = stem(word)
        if word in seen:
            return word
        seen.add(word)


def _merge_phrases(found: Sequence[str]) -> list[str]:
    merged: list[str] = []
    at = 0
    while at < len(found):
        for length in range(min(_LONGEST_PHRASE, len(found) - at), 1, -1):
            terms_of_phrase = PHRASES.get(tuple(found[at : at + length]))
            if terms_of_phrase is not None:
                merged.extend(terms_of_phrase)
                at += length
                break
        else:
            merged.append(found[at])
            at += 1
    return merged


def terms(text: str, glue: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Search terms of a text, in order, repetitions kept.

    Each term is non-empty, lower case and alphanumeric. Text without symbols, LaTeX, capitals or
    inner punctuation never gives more terms than words. Single letters (bound variables) and words
    that say nothing are left out; digits stay.

    Args:
        text: English, LaTeX, a Lean name or a Lean type.
        glue: further words to leave out, unless they are part of a phrase such as `at most`.
    """
    return _terms(text, glue)


@lru_cache(maxsize=50_000)
def _terms(text: str, glue: frozenset[str]) -> tuple[str, ...]:
    left_out = glue | STOP
    canonical = (_canonical(w) for w in _merge_phrases(words(text)) if w not in left_out)
    return tuple(t for t in canonical if t not in STOP and (len(t) > 1 or t.isdigit()))


def signs(text: str, glue: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """As `terms`, with the letters of variables kept: `l a ≤ b` is `l`, `a`, `le`, `b`.

    Who writes a formula after a library's own mostly keeps its letters.
    """
    return _signs(text, glue)


def is_letter(term: str) -> bool:
    """Whether one of `signs` is no term but the letter of a variable."""
    return len(term) == 1 and not term.isdigit()


@lru_cache(maxsize=50_000)
def _signs(text: str, glue: frozenset[str]) -> tuple[str, ...]:
    left_out = glue | STOP - _LETTERS
    found = _merge_phrases(words(text))
    canonical = (w if is_letter(w) else _canonical(w) for w in found if w not in left_out)
    return tuple(t for t in canonical if is_letter(t) or t not in STOP)


def term_frequencies(found: Sequence[str]) -> dict[str, float]:
    """Share of each term in a text: in (0, 1], together at most 1 (up to rounding)."""
    total = len(found)
    return {term: count / total for term, count in Counter(found).items()}


def inverse_document_frequency(documents: int, containing: int) -> float:
    """Weight of a term: `ln((N - df + 0.5) / (df + 0.5) + 1)`, as LanceDB's full-text index uses.

    Args:
        documents: N, texts in the corpus.
        containing: df, texts that contain the term; 0 to N.

    Returns:
        A positive number, strictly falling in `containing`.

    Raises:
        ValueError: `containing` is not within 0 and N.
    """
    if not 0 <= containing <= documents:
        raise ValueError(f"df must be within 0 and N={documents}, not {containing}")
    return math.log((documents - containing + 0.5) / (containing + 0.5) + 1)


def bm25(
    query: Sequence[str],
    counts: Mapping[str, int],
    weights: Mapping[str, float],
    mean_length: float,
    k1: float = 1.2,
    b: float = 0.75,
) -> float:
    """BM25 score of one text for the distinct terms of a query.

    Args:
        query: search terms.
        counts: occurrences of each term in the text.
        weights: inverse document frequency of each known term.
        mean_length: mean number of terms per text in the corpus.
        k1: saturation of repeated terms.
        b: strength of the length normalisation.
    """
    length = sum(counts.values())
    norm = k1 * (1 - b + b * length / mean_length) if mean_length else k1
    score = 0.0
    for term in dict.fromkeys(query):
        occurrences = counts.get(term, 0)
        if occurrences:
            score += weights.get(term, 0.0) * occurrences * (k1 + 1) / (occurrences + norm)
    return score
