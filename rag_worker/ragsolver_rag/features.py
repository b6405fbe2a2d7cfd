"""What speaks for a candidate: one row of numbers for each, for the second stage of the search.

All are cheap: they come from the arrays of `facts` and from what the two channels said.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragsolver_rag.facts import KINDS, Facts, Floats
from ragsolver_rag.verbalize import FIELDS

_SATURATION = 1.2
_LENGTH_SHARE = 0.5
_FIELD_WEIGHTS = {"name": 2.0, "last": 1.0, "doc": 2.0, "note": 1.5, "context": 0.5,
                  "conclusion": 1.0, "hypotheses": 0.5}  # fmt: skip
_PAIRED = ("name", "doc", "note", "conclusion")
"""Fields in which neighbouring words of the query are looked for."""
_SHORT = 4
"""A query with fewer terms is a name rather than a sentence."""

FEATURES = (
    "bm25",
    "evidence",
    "pairs",
    "cover",
    *(f"cover_{name}" for name in FIELDS),
    *(f"precise_{name}" for name in ("name", "last", "doc", "note", "conclusion")),
    *(f"pairs_{name}" for name in _PAIRED),
    "shape",
    "shape_rare",
    "cosine",
    "cosine_best",
    "meaning",
    "meaning_best",
    "popularity",
    "has_doc",
    "has_note",
    "generated",
    "auto_named",
    "alias",
    "deprecated",
    "name_length",
    *(f"kind_{kind}" for kind in KINDS),
    "short_last",
    "short_kind",
    "formula_conclusion",
    "formula_doc",
    "sentence_cosine",
    "lexical_rank",
    "dense_rank",
    "meaning_rank",
)
"""Name of each column, in order."""


class Asked(NamedTuple):
    """A query as the features see it."""

    terms: Sequence[int]
    """Term numbers in order, repetitions kept; terms that the corpus does not have left out."""
    unknown: int
    """How many distinct terms the corpus does not have."""
    formula: bool
    """It holds symbols or LaTeX."""
    shapes: Sequence[int] = ()
    """Shapes of what it states, as numbers."""


class Channels(NamedTuple):
    """What the two channels said of each candidate."""

    cosine: Floats
    """Not a number where it is not known."""
    lexical_rank: Floats
    """From 1; infinite where the channel did not find it."""
    dense_rank: Floats
    meaning: Floats
    """Cosine of the learned vectors; zero where there are none."""
    meaning_rank: Floats


def feature_rows(
    facts: Facts,
    asked: Asked,
    orders: npt.NDArray[np.int64],
    channels: Channels,
    hidden: Sequence[str] = (),
) -> Floats:
    """One row per candidate, one column per name in `FEATURES`.

    Args:
        facts: of the index.
        asked: the query.
        orders: the candidates.
        channels: what the channels said, one value per candidate.
        hidden: fields that are taken as empty.
    """
    rows = _Rows(facts, asked, orders, hidden)
    columns = {**rows.matches(), **_said(channels), **_priors(facts, orders)}
    short = float(len(set(asked.terms)) + asked.unknown < _SHORT)
    formula = float(asked.formula)
    columns["has_doc"] = rows.filled("doc")
    columns["has_note"] = rows.filled("note")
    columns["name_length"] = np.log1p(rows.lengths("name"))
    columns["short_last"] = short * columns["precise_last"] * columns["cover"]
    columns["short_kind"] = short * (
        columns["kind_class"] + columns["kind_structure"] + columns["kind_def"]
    )
    columns["formula_conclusion"] = formula * columns["cover_conclusion"]
    columns["formula_doc"] = formula * columns["cover_doc"]
    columns["sentence_cosine"] = (1 - short) * columns["cosine"]
    found: Floats = np.column_stack([columns[name] for name in FEATURES]).astype(np.float32)
    return found


def _said(channels: Channels) -> dict[str, npt.NDArray[np.floating]]:
    known = ~np.isnan(channels.cosine)
    least = float(channels.cosine[known].min()) if known.any() else 0.0
    cosine = np.where(known, channels.cosine, least)
    best = float(cosine.max()) if len(cosine) else 0.0
    return {
        "cosine": cosine,
        "cosine_best": cosine - best,
        "lexical_rank": 10.0 / (9.0 + channels.lexical_rank),
        "dense_rank": 10.0 / (9.0 + channels.dense_rank),
        "meaning": channels.meaning,
        "meaning_best": channels.meaning - channels.meaning.max(initial=-1.0),
        "meaning_rank": 10.0 / (9.0 + channels.meaning_rank),
    }


def _priors(facts: Facts, orders: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[np.floating]]:
    priors = facts.priors
    kinds = priors.kinds[orders]
    found: dict[str, npt.NDArray[np.floating]] = {
        "popularity": priors.popularity[orders],
        "generated": priors.generated[orders].astype(np.float32),
        "auto_named": priors.auto_named[orders].astype(np.float32),
        "alias": priors.alias[orders].astype(np.float32),
        "deprecated": priors.deprecated[orders].astype(np.float32),
    }
    found.update({f"kind_{k}": (kinds == n).astype(np.float32) for n, k in enumerate(KINDS)})
    return found


class _Rows:
    """Matches of one query with some declarations."""

    def __init__(
        self,
        facts: Facts,
        asked: Asked,
        orders: npt.NDArray[np.int64],
        hidden: Sequence[str],
    ) -> None:
        self._facts = facts
        self._hidden = hidden
        self._orders = orders
        self._distinct = np.array(list(dict.fromkeys(asked.terms)), np.int64)
        self._weights = facts.weights[self._distinct]
        self._total = float(self._weights.sum()) + asked.unknown * facts.rarest + 1e-6
        self._place = np.full(len(facts.weights) + 1, -1, np.int32)
        self._place[self._distinct] = np.arange(len(self._distinct))
        self._shape_numbers = np.array(asked.shapes, np.int32)
        pairs = zip(asked.terms, asked.terms[1:], strict=False)
        size = max(len(facts.weights), 1)
        self._pairs = np.array(sorted({a * size + b for a, b in pairs}), np.int64)
        self._pair_weights = facts.weights[self._pairs // size] + facts.weights[self._pairs % size]
        self._told = float(self._pair_weights.sum())
        self._size = size

    def lengths(self, field: str) -> npt.NDArray[np.int64]:
        if field in self._hidden:
            return np.zeros(len(self._orders), np.int64)
        starts = self._facts.fields[field].starts
        found: npt.NDArray[np.int64] = starts[self._orders + 1] - starts[self._orders]
        return found

    def filled(self, field: str) -> Floats:
        return (self.lengths(field) > 0).astype(np.float32)

    def matches(self) -> dict[str, npt.NDArray[np.floating]]:
        """Coverage, precision and neighbouring words, field by field; BM25F over all."""
        count, terms = len(self._orders), len(self._distinct)
        columns: dict[str, npt.NDArray[np.floating]] = {"pairs": np.zeros(count)}
        together = np.zeros((count, terms), np.float32)
        anywhere = np.zeros((count, terms), np.float32)
        for name in FIELDS:
            of = self._orders[:0] if name in self._hidden else self._orders
            numbers, owners = self._facts.fields[name].of(of)
            places = self._place[numbers]
            hit = places >= 0
            counts = np.bincount(
                owners[hit].astype(np.int64) * terms + places[hit], minlength=count * terms
            ).reshape(count, terms)[:, :terms]
            present = (counts > 0).astype(np.float32)
            anywhere = np.maximum(anywhere, present)
            columns[f"cover_{name}"] = present @ self._weights / self._total
            length = self.lengths(name)
            norm = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / self._facts.mean_lengths[name]
            together += _FIELD_WEIGHTS[name] * counts / np.maximum(norm, 0.1)[:, None]
            if f"precise_{name}" in FEATURES:
                columns[f"precise_{name}"] = self._precision(numbers, owners, hit, count)
            if name in _PAIRED:
                columns[f"pairs_{name}"] = self._neighbours(numbers, owners, count)
                columns["pairs"] = columns["pairs"] + columns[f"pairs_{name}"] * self._told
        columns.update(self._shapes(count))
        columns["cover"] = anywhere @ self._weights / self._total
        saturated = together * (_SATURATION + 1) / (together + _SATURATION)
        columns["evidence"] = saturated @ self._weights
        columns["bm25"] = columns["evidence"] / self._total
        return columns

    def _shapes(self, count: int) -> dict[str, npt.NDArray[np.floating]]:
        """Whether a declaration states the same; more where few candidates do."""
        numbers, owners = self._facts.shapes.of(self._orders)
        hit = np.isin(numbers, self._shape_numbers)
        same = (np.bincount(owners[hit], minlength=count) > 0).astype(np.float32)
        return {"shape": same, "shape_rare": same / np.sqrt(max(float(same.sum()), 1.0))}

    def _precision(
        self,
        numbers: npt.NDArray[np.int32],
        owners: npt.NDArray[np.int32],
        hit: npt.NDArray[np.bool_],
        count: int,
    ) -> npt.NDArray[np.floating]:
        """Share of a field's terms, by weight, that the query has."""
        weights = self._facts.weights[numbers]
        whole = np.bincount(owners, weights, count)
        matched = np.bincount(owners[hit], weights[hit], count)
        found: npt.NDArray[np.floating] = matched / (whole + 1e-6)
        return found

    def _neighbours(
        self, numbers: npt.NDArray[np.int32], owners: npt.NDArray[np.int32], count: int
    ) -> npt.NDArray[np.floating]:
        """Share, by weight, of the query's pairs of neighbouring terms that a field has, too."""
        if not len(self._pairs) or len(numbers) < 2:
            return np.zeros(count, np.float32)
        pairs = numbers[:-1].astype(np.int64) * self._size + numbers[1:]
        same = owners[:-1] == owners[1:]
        places = np.searchsorted(self._pairs, pairs)
        found = same & (self._pairs[np.minimum(places, len(self._pairs) - 1)] == pairs)
        hits = np.stack([owners[:-1][found], places[found].astype(np.int32)])
        owner, pair = np.unique(hits, axis=1)
        weights = np.bincount(owner, self._pair_weights[pair], minlength=count)
        shares: npt.NDArray[np.floating] = weights / (self._told + 1e-6)
        return shares
