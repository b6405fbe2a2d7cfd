"""What words mean in a library, learned from the library itself when its index is built.

Every documented declaration is an example: its docstring, or a line about it in a list of its
module, is a question, and its name and statement are the answer. From these a vector is learned
for each term and each pair of neighbouring terms, once for questions and once for statements, so
that "image" in a question comes to lie near `range` in a name. The vector of a declaration is made
of its name, statement and titles alone; so one without a docstring is found by what the documented
ones taught. No model from elsewhere is needed, and a query's vector takes microseconds.

Both vectors are sums of the vectors of their terms, of unit length. The loss is the cross entropy
of the right statement among those of a batch, and of the right question (InfoNCE, both ways); half
of the epochs put neighbours of one module into a batch, so that near misses are told apart.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ragsolver_rag.facts import Facts, Floats, TermLists

DIMENSIONS = 128
BUCKETS = 60_000
"""Pairs of neighbouring terms are told apart by a hash of so many values."""
LEAST_EXAMPLES = 2_000
"""With fewer documented declarations nothing is learned."""
MEANING_VERSION = 1
"""Part of the index's identity: raise it whenever other vectors are learned."""
SPOKEN: Mapping[str, float] = {"name": 1.0, "conclusion": 0.7, "hypotheses": 0.4, "context": 0.3}
"""Fields of which a declaration's vector is made, and how much each counts."""
_QUESTIONS = ("doc", "note")
_EPOCHS = 4
_BATCH = 768
_RATE = 0.15
_SCALE = 16.0
_PAIR_WEIGHT = 3.0
_SHORTEST, _LONGEST = 8, 40
"""Terms of a question that are kept: a random number between the two while learning."""
_FORGOTTEN = 0.1
"""Share of a question's terms that is left out while learning."""
_NEIGHBOURS = 150
"""How many modules around its own an example's batch may come from, in every other epoch."""
_AT_ONCE = 8192
_SEED = 5

OnEpoch = Callable[[int, int], None]


class Meanings(NamedTuple):
    """What a search needs of what was learned."""

    terms: npt.NDArray[np.float16]
    """Vectors of terms in questions, shape `(terms + BUCKETS, DIMENSIONS)`; a term's row is its
    number, pairs come after."""
    declarations: npt.NDArray[np.float16]
    """Unit vectors, one row per declaration."""

    def of(self, numbers: Sequence[int]) -> Floats | None:
        """Unit vector of a question, shape `(DIMENSIONS,)`; none where it has no known term.

        Args:
            numbers: the question's terms in order, repetitions kept.
        """
        if not len(numbers):
            return None
        known = np.asarray(numbers[:_LONGEST], np.int64)
        size = len(self.terms) - BUCKETS
        rows = np.concatenate((known, _pair_rows(known[:-1], known[1:], size)))
        total = self.terms[rows].astype(np.float32).sum(axis=0, keepdims=True)
        vector: Floats = _unit(total)[0]
        return vector

    def likeness(self, vector: Floats, orders: npt.NDArray[np.int64]) -> Floats:
        """Cosine of a question's vector and those of some declarations."""
        found: Floats = self.declarations[orders].astype(np.float32) @ vector
        return found


def learn_meanings(
    facts: Facts,
    written: npt.NDArray[np.bool_],
    left_out: Sequence[int] = (),
    on_epoch: OnEpoch = lambda *_: None,
) -> Meanings | None:
    """Vectors of terms and declarations, learned from a corpus; the same for the same corpus.

    Args:
        facts: of the corpus.
        written: which declarations a person wrote; the others teach nothing.
        left_out: orders of declarations from which nothing is learned.
        on_epoch: progress, in epochs.

    Returns:
        Nothing where too little is documented.
    """
    usable = written & ~facts.priors.deprecated
    usable[list(left_out)] = False
    examples = _examples(facts, usable)
    if len(examples.orders) < LEAST_EXAMPLES:
        return None
    draw = np.random.default_rng(_SEED)
    asked, said = _start(facts, draw)
    statements = _bags(facts, examples.orders)
    batches = max(1, len(examples.orders) // _BATCH)
    modules = facts.priors.modules[examples.orders]
    done, steps = 0, _EPOCHS * batches
    for epoch in range(_EPOCHS):
        spread = _NEIGHBOURS if epoch % 2 else float(np.ptp(modules)) * 100 + 1
        order = np.argsort(modules + draw.normal(0, spread, len(modules)), kind="stable")
        for batch in draw.permuted(np.arange(batches)):
            chosen = order[batch::batches] if not epoch % 2 else order[
                batch * len(order) // batches : (batch + 1) * len(order) // batches
            ]  # fmt: skip
            rate = _RATE * (1 - 0.9 * done / steps)
            questions = _question_bags(examples, chosen, draw, len(facts.weights))
            _step(asked, said, questions, statements[chosen], examples.orders[chosen], rate)
            done += 1
        on_epoch(epoch + 1, _EPOCHS)
    return Meanings(asked.vectors.astype(np.float16), _declarations(facts, said.vectors))


def _declarations(facts: Facts, vectors: Floats) -> npt.NDArray[np.float16]:
    made = np.empty((facts.count, DIMENSIONS), np.float16)
    for start in range(0, facts.count, _AT_ONCE):
        orders = np.arange(start, min(start + _AT_ONCE, facts.count))
        made[orders] = _unit(_bags(facts, orders) @ vectors)
    return made


class _Examples(NamedTuple):
    """Questions, all terms one after the other, and what answers each."""

    terms: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    orders: npt.NDArray[np.int64]


class _Table(NamedTuple):
    vectors: Floats
    seen: Floats
    """Sum of the squared slopes of each row so far (Adagrad, one rate a row)."""


def _examples(facts: Facts, usable: npt.NDArray[np.bool_]) -> _Examples:
    terms, lengths, orders = [], [], []
    for field in _QUESTIONS:
        of = facts.fields[field]
        counts = np.diff(of.starts)
        chosen = np.nonzero(usable & (counts >= 2))[0]
        terms.append(of.of(chosen)[0].astype(np.int64))
        lengths.append(counts[chosen])
        orders.append(chosen)
    starts = np.concatenate(([0], np.cumsum(np.concatenate(lengths))))
    return _Examples(np.concatenate(terms), starts, np.concatenate(orders))


def _start(facts: Facts, draw: np.random.Generator) -> tuple[_Table, _Table]:
    """Random directions as long as terms are rare: at first equal terms meet, and no others."""
    rows = len(facts.weights) + BUCKETS
    vectors = draw.standard_normal((rows, DIMENSIONS), np.float32) / np.float32(DIMENSIONS**0.5)
    vectors[: len(facts.weights)] *= np.maximum(facts.weights, 0.1)[:, None]
    vectors[len(facts.weights) :] *= _PAIR_WEIGHT
    seen = np.zeros(rows, np.float32)
    return _Table(vectors, seen), _Table(vectors.copy(), seen.copy())


def _pair_rows(
    first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.int64]:
    rows: npt.NDArray[np.int64] = size + (first * 1_000_003 + second * 7_919) % BUCKETS
    return rows


def _bags(facts: Facts, orders: npt.NDArray[np.int64]) -> Any:
    """The terms and pairs of terms of some declarations, as a sparse matrix."""
    from scipy.sparse import coo_matrix

    size = len(facts.weights)
    rows, columns, counts = [], [], []
    for field, weight in SPOKEN.items():
        numbers, owners = facts.fields[field].of(orders)
        lengths = np.bincount(owners, minlength=len(orders))
        share = (2 * weight / np.sqrt(np.maximum(lengths, 1))).astype(np.float32)
        terms, owners = _with_pairs(numbers.astype(np.int64), owners, size)
        rows.append(owners)
        columns.append(terms)
        counts.append(share[owners])
    shape = (len(orders), size + BUCKETS)
    entries = (np.concatenate(counts), (np.concatenate(rows), np.concatenate(columns)))
    return coo_matrix(entries, shape).tocsr()


def _with_pairs(
    terms: npt.NDArray[np.int64], owners: npt.NDArray[np.int32], size: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    same = owners[:-1] == owners[1:]
    pairs = _pair_rows(terms[:-1][same], terms[1:][same], size)
    return np.concatenate((terms, pairs)), np.concatenate((owners, owners[:-1][same]))


def _question_bags(
    examples: _Examples, chosen: npt.NDArray[np.int64], draw: np.random.Generator, size: int
) -> Any:
    from scipy.sparse import coo_matrix

    lengths = np.diff(examples.starts)[chosen]
    kept = np.minimum(lengths, draw.integers(_SHORTEST, _LONGEST + 1, len(chosen)))
    ends = examples.starts[chosen] + kept
    lists = TermLists(np.empty(0, np.int64), examples.terms.astype(np.int32))
    owners = np.repeat(np.arange(len(chosen), dtype=np.int32), kept)
    shifts = np.repeat(ends - np.cumsum(kept), kept)
    numbers = lists.terms[np.arange(len(owners)) + shifts].astype(np.int64)
    stays = (draw.random(len(owners)) > _FORGOTTEN) | (kept[owners] <= _SHORTEST // 2)
    terms, owners = _with_pairs(numbers[stays], owners[stays], size)
    entries = (np.ones(len(terms), np.float32), (owners, terms))
    return coo_matrix(entries, (len(chosen), size + BUCKETS)).tocsr()


def _step(
    asked: _Table,
    said: _Table,
    questions: Any,
    statements: Any,
    orders: npt.NDArray[np.int64],
    rate: float,
) -> None:
    """One step down the slope of the loss."""
    sums = [_sums(asked, questions), _sums(said, statements)]
    units = [_unit(of.sums) for of in sums]
    likeness = _SCALE * (units[0] @ units[1].T)
    same = orders[:, None] == orders[None, :]
    np.fill_diagonal(same, val=False)
    likeness[same] = -1e4
    slope = _softmax(likeness) + _softmax(likeness.T).T
    slope[np.diag_indices(len(slope))] -= 2
    slope *= _SCALE / (2 * len(slope))
    for table, of, unit, other, turned in (
        (asked, sums[0], units[0], units[1], slope),
        (said, sums[1], units[1], units[0], slope.T),
    ):
        towards = turned @ other
        lengths = np.linalg.norm(of.sums, axis=1, keepdims=True) + 1e-9
        towards = (towards - (towards * unit).sum(axis=1, keepdims=True) * unit) / lengths
        change = np.asarray(of.bags.T @ towards)
        table.seen[of.rows] += (change * change).mean(axis=1)
        pace = rate / (np.sqrt(table.seen[of.rows]) + 1e-8)
        table.vectors[of.rows] -= pace[:, None] * change


class _Sums(NamedTuple):
    rows: npt.NDArray[np.int64]
    """Rows of the table that a batch touches."""
    bags: Any
    """The batch over these rows alone."""
    sums: Floats


def _sums(table: _Table, bags: Any) -> _Sums:
    from scipy.sparse import csr_matrix

    rows, places = np.unique(bags.indices, return_inverse=True)
    small = csr_matrix((bags.data, places, bags.indptr), (bags.shape[0], len(rows)))
    return _Sums(rows, small, small @ table.vectors[rows])


def _softmax(likeness: Floats) -> Floats:
    exponents = np.exp(likeness - likeness.max(axis=1, keepdims=True))
    found: Floats = exponents / exponents.sum(axis=1, keepdims=True)
    return found


def _unit(vectors: Any) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    found: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return found
