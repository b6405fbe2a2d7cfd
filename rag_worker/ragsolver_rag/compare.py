"""Two corpora of one library compared: as text tells it, and as Lean exports it.

Reading text misses what elaboration makes and guesses some names; this says how much.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from pydantic import BaseModel, ConfigDict

from ragsolver_rag.corpus import Declaration
from ragsolver_rag.statement import split_type
from ragsolver_rag.tokenize import terms

_LISTED = 10
_SAME_KIND: Mapping[str, str] = {
    "lemma": "theorem", "abbrev": "def", "class": "structure", "class inductive": "inductive",
    "field": "def", "instance": "def", "opaque": "def",
}  # fmt: skip
"""Kinds that are told apart in one of the two only."""


class CorporaCompared(BaseModel):
    """What is only in one of two corpora, and what differs."""

    model_config = ConfigDict(frozen=True)

    modules: int
    """Modules that both have; only these are compared."""
    in_both: int
    only_first: Mapping[str, int]
    """By origin: what made them, empty for what a person wrote."""
    only_second: Mapping[str, int]
    """By kind."""
    kinds_differ: Mapping[str, int]
    """`first -> second` to how many."""
    conclusions_compared: int
    conclusions_differ: int
    """Conclusions with other search terms; notation and implicit arguments make most of them."""
    elsewhere: int
    """Names in both, in other modules."""
    examples: Mapping[str, tuple[str, ...]]
    """Some names of each difference."""


def compare_corpora(
    first: Iterable[Declaration], second: Iterable[Declaration]
) -> CorporaCompared:
    """Compare by name what the modules that both have declare."""
    one, other = ({d.name: d for d in of} for of in (first, second))
    shared = {d.module for d in one.values()} & {d.module for d in other.values()}
    both = [(one[name], other[name]) for name in one if name in other]
    examples: dict[str, list[str]] = defaultdict(list)
    kinds: Counter[str] = Counter()
    compared = differ = elsewhere = 0
    for a, b in both:
        if a.module != b.module:
            elsewhere += 1
        if not _alike(a.kind, b.kind):
            kinds[f"{a.kind} -> {b.kind}"] += 1
            _note(examples, "kinds differ", a.name)
        if a.type and b.type:
            compared += 1
            if _said(a) != _said(b):
                differ += 1
                _note(examples, "conclusions differ", a.name)
    return CorporaCompared(
        modules=len(shared),
        in_both=len(both),
        only_first=_only(one, other, shared, lambda d: d.origin, examples, "only first"),
        only_second=_only(other, one, shared, lambda d: d.kind, examples, "only second"),
        kinds_differ=dict(kinds.most_common()),
        conclusions_compared=compared,
        conclusions_differ=differ,
        elsewhere=elsewhere,
        examples={what: tuple(names) for what, names in examples.items()},
    )


def _only(
    these: Mapping[str, Declaration],
    others: Mapping[str, Declaration],
    modules: set[str],
    sort: Callable[[Declaration], str],
    examples: dict[str, list[str]],
    what: str,
) -> dict[str, int]:
    found: Counter[str] = Counter()
    for name, declaration in these.items():
        if name not in others and declaration.module in modules:
            found[sort(declaration)] += 1
            _note(examples, f"{what}, {sort(declaration) or 'written'}", name)
    return dict(found.most_common())


def _alike(first: str, second: str) -> bool:
    return _SAME_KIND.get(first, first) == _SAME_KIND.get(second, second)


def _said(declaration: Declaration) -> frozenset[str]:
    return frozenset(terms(split_type(declaration.type).conclusion))


def _note(examples: dict[str, list[str]], what: str, name: str) -> None:
    if len(examples[what]) < _LISTED:
        examples[what].append(name)
