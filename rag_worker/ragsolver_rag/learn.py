"""Weights of the second stage, learned from the corpus itself.

Nothing of a benchmark is used. A declaration's own documentation is a question whose answer is
known, if that text is taken out of the declaration before it is searched:

- a line about it in a list of its module's documentation; its docstring stays;
- its docstring; then it is one of those that have none, among candidates that have none either:
  its docstring is hidden and what is embedded of it is made without;
- its own name read out, as who knows what a thing is called asks for it; nothing is hidden.

What the index learned of words was learned from these very texts; so it is learned once more here,
without the declarations that are asked for. The weight of the encoder's cosine comes from
docstrings alone: the line in a list is nearly a copy of the docstring that was embedded.

The weights make the right candidate likely among those that the channels find (a softmax over
them), and stay small.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ragsolver_contracts.retrieval import RetrievalFilters
from ragsolver_rag.corpus import Declaration
from ragsolver_rag.features import FEATURES
from ragsolver_rag.index import DeclarationRow, Index, Place, Vector, Vectors
from ragsolver_rag.queries import prepare
from ragsolver_rag.ranking import Candidates, Rescorer
from ragsolver_rag.tokenize import words
from ragsolver_rag.verbalize import embedding_text, english, unmarked

Kind = Literal["note", "name", "doc"]

HIDDEN: dict[Kind, tuple[str, ...]] = {"name": (), "note": ("note",), "doc": ("doc", "note")}
"""Fields that are hidden for each kind of question: of all candidates, so that none is told by
what it lacks."""
_SHARES: dict[Kind, float] = {"note": 0.9, "doc": 0.0, "name": 0.1}
"""Measured: with docstrings as half of the questions the weights are worse (docs/retrieval.md)."""
NOT_LEARNED = frozenset(
    {"lexical_rank", "dense_rank", "meaning_rank", "cosine_best", "meaning_best", "has_note"}
    | {"cover_note", "precise_note", "pairs_note"}
)
"""Features that would tell the answer, because the channels saw the whole text, and those of the
very field from which questions are taken. What is not learned keeps its weight in the tuning."""
_OF_ENCODER = frozenset({"cosine", "sentence_cosine"})
_PRIORS = frozenset(
    {"popularity", "has_doc", "generated", "auto_named", "alias", "deprecated", "short_kind"}
    | {name for name in FEATURES if name.startswith("kind_")}
)
_SILENT: dict[Kind, frozenset[str]] = {"note": _OF_ENCODER, "name": _OF_ENCODER, "doc": _PRIORS}
"""Features on which a kind of question has no say. A definition mostly has a docstring and a
theorem has none, so that among those that have none the right one is told by its kind."""
_AS_DOC = {"cover_note": "cover_doc", "precise_note": "precise_doc", "pairs_note": "pairs_doc"}
_NOTE_SHARE = 0.5
"""A note counts as half a docstring."""
_NAMED = frozenset({"class", "structure", "inductive", "def"})
"""Kinds that are things, and asked for by what they are called."""
_SENTENCE = re.compile(r"(?<=[.;])\s+(?=[A-Z])")
_LEAST_WORDS, _MOST_WORDS = 3, 40
_REGULAR = 1e-2

OnDone = Callable[[int, int], None]


@dataclass(frozen=True)
class Question:
    """A question and the declaration that answers it."""

    text: str
    order: int
    kind: Kind


@dataclass(frozen=True)
class Sample:
    """The candidates of one question."""

    rows: npt.NDArray[np.float32]
    """Features, one row per candidate."""
    answer: int
    """Row of the right one."""
    kind: Kind


@dataclass(frozen=True)
class Learned:
    """Weights and how well they do on questions that they were not learned from."""

    weights: dict[str, float]
    questions: int
    held_out: int
    first: float
    """Share of held-out questions whose answer comes first."""
    reciprocal_rank: float


def questions(
    rows: Iterable[DeclarationRow],
    count: int,
    seed: int,
    shares: Mapping[Kind, float] = _SHARES,
) -> list[Question]:
    """Questions that the corpus answers, a mixture of several kinds.

    Args:
        rows: declarations that a person wrote.
        count: at most so many.
        seed: which ones.
        shares: how much of each kind.
    """
    found: dict[Kind, list[Question]] = {kind: [] for kind in shares}
    for row in rows:
        for question in _of(row):
            if question.kind in found:
                found[question.kind].append(question)
    draw = random.Random(seed)  # noqa: S311 - a sample
    chosen: list[Question] = []
    for kind, share in shares.items():
        of_kind = found[kind]
        draw.shuffle(of_kind)
        chosen.extend(of_kind[: round(count * share)])
    draw.shuffle(chosen)
    return chosen


def _of(row: DeclarationRow) -> Iterator[Question]:
    if row.origin or row.deprecated:
        return
    if row.note and _telling(row.note):
        yield Question(_first(row.note), row.order, "note")
    if row.docstring and row.kind in _NAMED:
        last = row.decl_name.rpartition(".")[2]
        yield Question(english(words(last)), row.order, "name")
    if row.docstring and _telling(row.docstring):
        yield Question(_first(row.docstring), row.order, "doc")


def _telling(text: str) -> bool:
    return len(_first(text).split()) >= _LEAST_WORDS


def _first(text: str) -> str:
    sentence = _SENTENCE.split(" ".join(unmarked(text).split()))[0]
    return " ".join(sentence.split()[:_MOST_WORDS])


@runtime_checkable
class Embeds(Protocol):
    """What a sampler needs of an encoder."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of documents, in the order given."""
        ...


class Sampler:
    """Candidates of questions, with what must not be seen hidden."""

    def __init__(
        self,
        index: Index,
        rescorer: Rescorer,
        find: Callable[..., Candidates],
        encoder: Embeds | None = None,
    ) -> None:
        """Keep the parts.

        Args:
            index: the corpus.
            rescorer: makes features.
            find: candidates of a prepared query; see `Search.candidates`.
            encoder: the one of the index; none: its vectors are not used.
        """
        self._index = index
        self._rescorer = rescorer
        self._find = find
        self._encoder = encoder

    def samples(
        self, asked: Sequence[Question], on_done: OnDone = lambda *_: None
    ) -> Iterator[Sample]:
        """One sample per question, in their order."""
        instead = self._vectors_without_answer(asked)
        for number, question in enumerate(asked):
            candidates = self._find(prepare(question.text, "nl"), RetrievalFilters())
            if question.kind == "doc":
                self._without_documented(candidates)
            candidates.further = [question.order]
            vector = instead.get(question.order)
            if vector is not None and candidates.vector is not None:
                cosine = float(vector @ candidates.vector)
                others = [p for p in candidates.dense if p.order != question.order]
                candidates.dense = [*others, Place(question.order, cosine)]
            orders = candidates.orders
            rows = self._rescorer.features(candidates, HIDDEN[question.kind])
            yield Sample(rows, orders.index(question.order), question.kind)
            if number % 100 == 0:
                on_done(number, len(asked))

    def _without_documented(self, candidates: Candidates) -> None:
        """Leave the candidates that nothing is said of."""
        for channel in ("lexical", "dense", "akin"):
            found: Sequence[Place] = getattr(candidates, channel)
            orders = np.array([place.order for place in found], np.int64)
            bare = ~(self._filled("doc", orders) | self._filled("note", orders))
            kept = [place for place, stays in zip(found, bare.tolist(), strict=True) if stays]
            setattr(candidates, channel, kept)

    def _filled(self, field: str, orders: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        starts = self._rescorer.facts.fields[field].starts
        found: npt.NDArray[np.bool_] = starts[orders + 1] > starts[orders]
        return found

    def _vectors_without_answer(self, asked: Sequence[Question]) -> dict[int, Vector]:
        """Vectors of those answers whose own vector was made with the question's text."""
        if self._encoder is None:
            return {}
        orders = list(dict.fromkeys(q.order for q in asked if q.kind == "doc"))
        plain = [self._plain(row) for row in self._index.rows(orders)]
        return dict(zip(orders, self._encoder.embed(plain), strict=True)) if orders else {}

    def _plain(self, row: DeclarationRow) -> str:
        """What would be embedded of a declaration of which nothing is said."""
        facts = self._rescorer.facts
        numbers = facts.fields["context"].of(np.array([row.order]))[0]
        around = english([facts.terms[n] for n in numbers.tolist()])
        bare = Declaration(name=row.decl_name, kind=row.kind, module="", type=row.type)
        return embedding_text(bare.model_copy(update={"context": around}))


def learn(samples: Sequence[Sample], fixed: Mapping[str, float], held_out: float = 0.2) -> Learned:
    """Weights that put the right candidate first.

    Args:
        samples: in an order that means nothing.
        fixed: weights of `NOT_LEARNED`, which stay as they are; others in it are ignored.
        held_out: share of them by which the weights are judged and from which nothing is learned.

    Raises:
        ValueError: there are too few samples.
    """
    cut = int(len(samples) * (1 - held_out))
    if cut < 1 or cut == len(samples):
        raise ValueError(f"{len(samples)} questions are too few to learn from")
    used = np.array([name not in NOT_LEARNED for name in FEATURES])
    samples = [_heard(sample) for sample in samples]
    spread = np.concatenate([s.rows for s in samples[:cut]]).std(axis=0)
    scale = np.where(spread > 1e-6, spread, 1.0)
    scaled = [Sample((s.rows / scale) * used, s.answer, s.kind) for s in samples]
    solution = _fitted(scaled[:cut])
    weights = solution / scale * used
    for note, doc in _AS_DOC.items():
        weights[FEATURES.index(note)] = _NOTE_SHARE * weights[FEATURES.index(doc)]
    for name in NOT_LEARNED - set(_AS_DOC):
        weights[FEATURES.index(name)] = fixed.get(name, 0.0)
    places = [_place(s, weights) for s in samples[cut:]]
    return Learned(
        weights={n: round(float(w), 4) for n, w in zip(FEATURES, weights, strict=True) if w},
        questions=cut,
        held_out=len(samples) - cut,
        first=float(np.mean([p == 1 for p in places])),
        reciprocal_rank=float(np.mean([1 / p for p in places])),
    )


def _heard(sample: Sample) -> Sample:
    """A sample without the features on which its kind has no say."""
    rows = sample.rows.copy()
    rows[:, [FEATURES.index(name) for name in _SILENT[sample.kind]]] = 0.0
    return Sample(rows, sample.answer, sample.kind)


def _fitted(samples: Sequence[Sample]) -> npt.NDArray[np.float64]:
    from scipy.optimize import minimize

    starts = np.cumsum([0, *(len(s.rows) for s in samples)])
    everything = np.concatenate([s.rows for s in samples]).astype(np.float64)
    answers = starts[:-1] + np.array([s.answer for s in samples])
    owner = np.repeat(np.arange(len(samples)), np.diff(starts))

    def loss(weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        scores = everything @ weights
        highest = np.maximum.reduceat(scores, starts[:-1])
        exponents = np.exp(scores - highest[owner])
        totals = np.add.reduceat(exponents, starts[:-1])
        likely = exponents / totals[owner]
        value = float(np.mean(np.log(totals) + highest - scores[answers]))
        slope = (likely @ everything - everything[answers].sum(axis=0)) / len(samples)
        return value + _REGULAR * float(weights @ weights), slope + 2 * _REGULAR * weights

    start = np.zeros(everything.shape[1])
    found: npt.NDArray[np.float64] = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return found


def _place(sample: Sample, weights: npt.NDArray[np.float64]) -> int:
    scores = sample.rows @ weights
    return 1 + int((scores > scores[sample.answer]).sum())
