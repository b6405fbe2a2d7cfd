"""The second stage: candidates of one query ordered by all that speaks for them.

The weights of what counts are data; see `tuning` and `learn`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ragsolver_rag.facts import Facts, shape_number
from ragsolver_rag.features import FEATURES, Asked, Channels, feature_rows
from ragsolver_rag.index import Index, Place, Vector
from ragsolver_rag.meaning import Meanings
from ragsolver_rag.queries import Query
from ragsolver_rag.tuning import Tuning

_OF_COSINE = ("cosine", "cosine_best", "sentence_cosine")


@dataclass
class Candidates:
    """What the two channels found for one query."""

    query: Query
    vector: Vector | None
    lexical: Sequence[Place] = ()
    dense: Sequence[Place] = ()
    akin: Sequence[Place] = ()
    """Found by learned meaning."""
    further: Sequence[int] = field(default_factory=tuple)
    """Orders that are candidates for another reason."""

    @property
    def orders(self) -> list[int]:
        """Every candidate once, those of the full-text channel first."""
        found = [p.order for of in (self.lexical, self.dense, self.akin) for p in of]
        return list(dict.fromkeys([*found, *self.further]))


class Rescorer:
    """Orders candidates by weighted features."""

    def __init__(self, index: Index, tuning: Tuning, meanings: Meanings | None = None) -> None:
        """Keep index and weights; facts are read at the first question.

        Args:
            index: the corpus.
            tuning: weights and limits.
            meanings: instead of those of the index.
        """
        self._index = index
        self._tuning = tuning
        self._instead = meanings
        weights = tuning.rescoring.weights
        self._weighs_cosine = any(weights.get(name) for name in _OF_COSINE)
        self._weights = np.array([weights.get(name, 0.0) for name in FEATURES], np.float32)

    @property
    def facts(self) -> Facts:
        """Facts of the index."""
        return self._index.facts()

    def scores(self, candidates: Candidates) -> dict[int, float]:
        """Score of each candidate by its order; the higher the better."""
        orders = candidates.orders
        if not orders:
            return {}
        rows = self._rows(candidates, self._tuning.rescoring.hidden, look_up=self._weighs_cosine)
        return dict(zip(orders, (rows @ self._weights).tolist(), strict=True))

    def features(
        self, candidates: Candidates, hidden: Sequence[str] = ()
    ) -> npt.NDArray[np.float32]:
        """One row of features per candidate, in the order of `Candidates.orders`.

        Args:
            candidates: what was found.
            hidden: fields that are taken as empty.
        """
        return self._rows(candidates, hidden, look_up=True)

    def _rows(
        self, candidates: Candidates, hidden: Sequence[str], *, look_up: bool
    ) -> npt.NDArray[np.float32]:
        facts, orders = self.facts, candidates.orders
        query = candidates.query
        known = facts.numbers(query.sequence)
        unknown = len({term for term in query.sequence if term not in facts.vocabulary})
        stated = [shape_number(shape) for shape in query.stated]
        asked = Asked(known, unknown, query.formula, stated)
        channels = self._channels(candidates, orders, look_up=look_up)
        return feature_rows(facts, asked, np.asarray(orders, np.int64), channels, hidden)

    def _channels(
        self, candidates: Candidates, orders: Sequence[int], *, look_up: bool
    ) -> Channels:
        """What the channels said; vectors that they did not give are read if so wanted."""
        place = {order: n for n, order in enumerate(orders)}
        cosine = np.full(len(orders), np.nan, np.float32)
        channels = (candidates.lexical, candidates.dense, candidates.akin)
        ranks = [np.full(len(orders), np.inf, np.float32) for _ in channels]
        for rank, found in zip(ranks, channels, strict=True):
            for number, (order, _) in enumerate(found, start=1):
                rank[place[order]] = min(rank[place[order]], number)
        for order, score in candidates.dense:
            cosine[place[order]] = score
        if look_up and candidates.vector is not None:
            unknown = [o for o in orders if np.isnan(cosine[place[o]])]
            unknown = unknown[: self._tuning.pool.cosine]
            vectors = self._index.vectors(unknown)
            if vectors is not None:
                cosine[[place[o] for o in unknown]] = vectors @ candidates.vector
        meaning = self._meaning(candidates.query, orders)
        return Channels(cosine, ranks[0], ranks[1], meaning, ranks[2])

    def _meaning(self, query: Query, orders: Sequence[int]) -> npt.NDArray[np.float32]:
        meanings = self._instead or self._index.meanings()
        vector = meaning_of(meanings, self.facts, query)
        if meanings is None or vector is None:
            return np.zeros(len(orders), np.float32)
        return meanings.likeness(vector, np.asarray(orders, np.int64))


def meaning_of(meanings: Meanings | None, facts: Facts, query: Query) -> Vector | None:
    """The learned vector of a query; none where nothing was learned or no term is known."""
    return meanings.of(facts.numbers(query.said)) if meanings is not None else None
