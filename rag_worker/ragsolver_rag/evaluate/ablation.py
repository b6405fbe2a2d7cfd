"""What each ingredient of the search is worth: all of it against all but one.

One index and one set of weights: what is switched off is not read, and the weights of the rest
stay as they are. What decides the index itself (symbols to words, synonyms, stems) stays on.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ragsolver_rag.evaluate.running import Asked, without_features
from ragsolver_rag.tuning import Tuning
from ragsolver_rag.verbalize import FIELDS

FULL = "full"


def ablated(tuning: Tuning, *, dense: bool) -> dict[str, Asked]:
    """The search without one ingredient each, by its name; the whole search comes last.

    Args:
        tuning: of the whole search.
        dense: the index has an encoder's vectors.
    """
    whole = Asked(tuning, rerank=True, dense=dense)
    changed = {name: change(whole) for name, change in _INGREDIENTS.items()}
    return {name: asked for name, asked in changed.items() if asked != whole} | {FULL: whole}


def _pool(**values: int) -> Callable[[Asked], Asked]:
    def _change(asked: Asked) -> Asked:
        pool = asked.tuning.pool.model_copy(update=values)
        return replace(asked, tuning=asked.tuning.model_copy(update={"pool": pool}))

    return _change


def _rescoring(**values: object) -> Callable[[Asked], Asked]:
    def _change(asked: Asked) -> Asked:
        rescoring = asked.tuning.rescoring.model_copy(update=values)
        return replace(asked, tuning=asked.tuning.model_copy(update={"rescoring": rescoring}))

    return _change


def _weightless(*beginnings: str) -> Callable[[Asked], Asked]:
    """Without the weights of the features whose names begin so."""

    def _change(asked: Asked) -> Asked:
        rescoring = without_features(asked.tuning.rescoring, *beginnings)
        return replace(asked, tuning=asked.tuning.model_copy(update={"rescoring": rescoring}))

    return _change


_INGREDIENTS: Final[Mapping[str, Callable[[Asked], Asked]]] = {
    "second stage": _rescoring(enabled=False),
    "learned meaning": lambda asked: _weightless("meaning")(_pool(akin=0)(asked)),
    "learned meaning, as a channel": _pool(akin=0),
    "encoder": lambda asked: replace(asked, dense=False),
    "encoder, as a channel": _pool(dense=0),
    "full text, as a channel": _pool(lexical=0),
    **{f"field {field}": _rescoring(hidden=(field,)) for field in FIELDS},
    "docstrings and lists": _rescoring(hidden=("doc", "note")),
    "neighbouring words": _weightless("pairs"),
    "precision": _weightless("precise"),
    "shapes of formulas": _weightless("shape"),
    "formulas apart": _weightless("formula"),
    "short queries apart": _weightless("short"),
    "popularity": _weightless("popularity"),
    "kinds": _weightless("kind", "short_kind"),
    "what Lean made": _weightless("generated", "auto_named", "alias"),
    "deprecation": _weightless("deprecated"),
    "length of the name": _weightless("name_length"),
}
"""Name of an ingredient to what switches it off."""
