"""What the second stage of the search knows of every declaration: small numbers, in memory.

Made from the rows when an index is written, kept in its table, and read back as arrays. A
declaration is known by its `order`, its place in the corpus.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ragsolver_rag.verbalize import FIELDS

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]

KINDS = ("theorem", "def", "instance", "structure", "class", "inductive", "field", "ctor")
"""Kinds that the ranking tells apart; any other is none of them."""


class TermLists(NamedTuple):
    """Term numbers of one field, all declarations one after the other."""

    starts: npt.NDArray[np.int64]
    """Where each declaration's terms begin; one more than there are declarations."""
    terms: Ints

    @property
    def mean_length(self) -> float:
        """Mean length of those that are not empty."""
        lengths = np.diff(self.starts)
        filled = int((lengths > 0).sum())
        return float(lengths.sum()) / filled if filled else 1.0

    def of(self, orders: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
        """Terms of some declarations, and for each the place of its declaration in `orders`."""
        begins, ends = self.starts[orders], self.starts[orders + 1]
        lengths = ends - begins
        owners = np.repeat(np.arange(len(orders), dtype=np.int32), lengths)
        shifts = np.repeat(begins - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        return self.terms[np.arange(len(owners)) + shifts], owners


class Priors(NamedTuple):
    """What is known of each declaration before anything is asked."""

    popularity: Floats
    """0 to 1."""
    kinds: npt.NDArray[np.int8]
    """Place in `KINDS`, or -1."""
    generated: npt.NDArray[np.bool_]
    auto_named: npt.NDArray[np.bool_]
    alias: npt.NDArray[np.bool_]
    deprecated: npt.NDArray[np.bool_]
    modules: Ints
    """A number for each module."""


@dataclass(frozen=True)
class Facts:
    """Terms and priors of all declarations of an index."""

    vocabulary: Mapping[str, int]
    weights: Floats
    """Inverse document frequency of each term."""
    fields: Mapping[str, TermLists]
    shapes: TermLists
    """Shapes of statements, as numbers made of their digests."""
    priors: Priors

    @cached_property
    def mean_lengths(self) -> Mapping[str, float]:
        """Mean number of terms of each field, over the declarations that have any."""
        return {name: of.mean_length for name, of in self.fields.items()}

    @cached_property
    def rarest(self) -> float:
        """Weight of the rarest term."""
        return float(self.weights.max()) if len(self.weights) else 1.0

    @property
    def count(self) -> int:
        """Declarations."""
        return len(self.priors.popularity)

    @cached_property
    def terms(self) -> Sequence[str]:
        """Every term, at the place that is its number."""
        return list(self.vocabulary)

    def numbers(self, terms: Iterable[str]) -> list[int]:
        """Numbers of those terms that the corpus has."""
        return [self.vocabulary[term] for term in terms if term in self.vocabulary]


def shape_number(shape: str) -> int:
    """A shape as a number of 31 bits."""
    return int(shape[-8:], 16) & 0x7FFFFFFF


def shape_lists(fields: Sequence[Mapping[str, Sequence[str]]]) -> TermLists:
    """The shapes of all declarations."""
    lengths = [len(of_one.get("shape", ())) for of_one in fields]
    numbers = (shape_number(shape) for of_one in fields for shape in of_one.get("shape", ()))
    found = np.fromiter(numbers, np.int32, sum(lengths))
    return TermLists(np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))), found)


def vocabulary_of(
    fields: Iterable[Mapping[str, Sequence[str]]],
) -> tuple[dict[str, int], list[int]]:
    """Every term with a number, and in how many declarations each stands."""
    containing: Counter[str] = Counter()
    for of_one in fields:
        containing.update({term for field in FIELDS for term in of_one.get(field, ())})
    ordered = sorted(containing)
    return {term: n for n, term in enumerate(ordered)}, [containing[term] for term in ordered]


def term_weights(containing: Sequence[int], count: int) -> Floats:
    """`ln((N - df + 0.5) / (df + 0.5) + 1)` of each term; see the contract `tokenize`."""
    df = np.asarray(containing, np.float64)
    found: Floats = np.log((count - df + 0.5) / (df + 0.5) + 1).astype(np.float32)
    return found


def term_lists(
    fields: Sequence[Mapping[str, Sequence[str]]], name: str, vocabulary: Mapping[str, int]
) -> TermLists:
    """One field of all declarations as numbers."""
    lengths = [len(of_one.get(name, ())) for of_one in fields]
    numbers = (vocabulary[term] for of_one in fields for term in of_one.get(name, ()))
    terms = np.fromiter(numbers, np.int32, sum(lengths))
    return TermLists(np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))), terms)


_ORDINARY = frozenset({"", "alias", "auto_named"})


def priors_of(
    popularity: Sequence[float],
    kinds: Sequence[str],
    origins: Sequence[str],
    deprecated: Sequence[str],
    modules: Sequence[str],
) -> Priors:
    """The priors of all declarations, each argument one value per declaration."""
    kind_numbers = {kind: n for n, kind in enumerate(KINDS)}
    module_numbers: dict[str, int] = {}
    return Priors(
        popularity=np.asarray(popularity, np.float32),
        kinds=np.array([kind_numbers.get(kind, -1) for kind in kinds], np.int8),
        generated=np.array([origin not in _ORDINARY for origin in origins], np.bool_),
        auto_named=np.array([origin == "auto_named" for origin in origins], np.bool_),
        alias=np.array([origin == "alias" for origin in origins], np.bool_),
        deprecated=np.array([bool(since) for since in deprecated], np.bool_),
        modules=np.array(
            [module_numbers.setdefault(m, len(module_numbers)) for m in modules], np.int32
        ),
    )


def facts_of(fields: Sequence[Mapping[str, Sequence[str]]], priors: Priors) -> Facts:
    """Facts of declarations whose fields are at hand as terms."""
    vocabulary, containing = vocabulary_of(fields)
    lists = {name: term_lists(fields, name, vocabulary) for name in FIELDS}
    weights = term_weights(containing, len(fields))
    return Facts(vocabulary, weights, lists, shape_lists(fields), priors)


def popularity_of(mentions: int, most: int) -> float:
    """How much a library speaks of a declaration, 0 to 1 on a logarithmic scale."""
    return math.log1p(mentions) / math.log1p(most) if most else 0.0
