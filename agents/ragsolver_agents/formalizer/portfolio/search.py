"""Bounded search: variables with provable bounds, checked case by case."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ragsolver_agents.formalizer.portfolio.bounds import Box, box, proof_of_bound
from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, truth
from ragsolver_agents.formalizer.portfolio.reading import Fact, Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.substitution import eliminate, replace
from ragsolver_agents.formalizer.portfolio.terms import Op, Term, Var, conjuncts, render, variables
from ragsolver_agents.formalizer.portfolio.toolbox import ALL_BELOW, below

MAX_CASES = 6_000
"""Cases for the kernel; about a millisecond each."""
MAX_ARMS = 100
"""Cases for one `omega` each."""


@dataclass(frozen=True)
class Search:
    """All cases in the kernel, or one variable's cases by `omega` where others stay free."""

    name: str = "search"
    cost: int = 3
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """At most two scripts."""
        reading = asked.reading
        target = reading.target
        if target is None or not reading.sorts:
            return
        substitutions, facts, target, sorts = eliminate(reading)
        negated = Op("¬", (target,))
        guesses = [part for fact in facts for part in conjuncts(fact.term)]
        found = box([*guesses, negated], sorts)
        needed = sorted({n for t in (*guesses, target) for n in variables(t) if n in sorts})
        if any(n not in sorts for t in (*guesses, target) for n in variables(t)):
            facts = [f for f in facts if variables(f.term) <= set(sorts)]
        opening = [
            *reading.opening,
            *substitutions,
            "apply Classical.byContradiction",
            "intro hneg",
        ]
        bounded = [n for n in needed if n in found.low and n in found.high]
        terms = [*guesses, negated]
        if bounded and set(bounded) == set(needed):
            size = prod(found.high[n] - found.low[n] + 1 for n in needed)
            if 0 < size <= MAX_CASES and _holds(facts, target, needed, found, sorts):
                lines = _kernel(needed, facts, target, terms, found, sorts)
                yield Script("search/kernel", by([*opening, *lines]), preamble=ALL_BELOW)
                return
        yield from _arms(reading, bounded, terms, found, sorts, opening)


def _holds(
    facts: Sequence[Fact],
    target: Term,
    names: Sequence[str],
    found: Box,
    sorts: Mapping[str, str],
) -> bool:
    """Whether no case of the box is a counterexample."""
    ranges = [range(found.low[n], found.high[n] + 1) for n in names]
    try:
        for values in product(*ranges):
            chosen = dict(zip(names, values, strict=True))
            if all(truth(f.term, chosen, sorts) for f in facts) and not truth(
                target, chosen, sorts
            ):
                return False
    except UnknownValueError:
        return False
    return True


def _shifted(
    name: str, sorts: Mapping[str, str], found: Box, index: int
) -> tuple[list[str], Term]:
    """Lines that make an integer a natural number above its lower bound, and what it became."""
    if sorts[name] == "Nat":
        return [], Var(name)
    low = found.low[name]
    text = f"({low} : Int)" if low < 0 else str(low)
    lines = [
        f"obtain ⟨k{index}, hk{index}⟩ : ∃ k : Nat, {name} = {text} + k :=",
        f"  ⟨({name} - {text}).toNat, by omega⟩",
    ]
    return lines, Op("+", (Var(text), Op("↑", (Var(f"k{index}"),))))


def _kernel(
    names: Sequence[str],
    facts: Sequence[Fact],
    target: Term,
    terms: Sequence[Term],
    found: Box,
    sorts: Mapping[str, str],
) -> list[str]:
    lines: list[str] = []
    after: list[str] = []
    shifts: dict[str, Term] = {}
    bounds: list[tuple[str, int]] = []
    uppers: list[str] = []
    for i, name in enumerate(names):
        lines.append(proof_of_bound(name, found.high[name], terms, found, sorts, f"b{i}"))
        more, became = _shifted(name, sorts, found, i)
        lines += more
        if more:
            size = found.high[name] - found.low[name] + 1
            after += [f"have s{i} : k{i} < {size} := by omega", f"subst hk{i}"]
            shifts[name] = became
            bounds.append((f"k{i}", size))
            uppers.append(f"s{i}")
        else:
            bounds.append((name, found.high[name] + 1))
            uppers.append(f"b{i}")
    ordered = sorted(facts, key=lambda fact: not _is_equation(fact.term))
    parts = [render(replace(fact.term, shifts)) for fact in ordered]
    proposition = " → ".join([*parts, render(replace(target, shifts))])
    arguments = " ".join(
        f"{name} {upper}" for (name, _), upper in zip(bounds, uppers, strict=True)
    )
    proofs = " ".join(fact.proof for fact in ordered)
    return [
        *lines,
        *after,
        below("key", bounds, proposition),
        f"exact hneg (key {arguments} {proofs})",
    ]


def _is_equation(term: Term) -> bool:
    return isinstance(term, Op) and term.symbol == "="


def _arms(
    reading: Reading,
    bounded: Sequence[str],
    terms: Sequence[Term],
    found: Box,
    sorts: Mapping[str, str],
    opening: Sequence[str],
) -> Iterator[Script]:
    """Cases of the variable with the fewest values, each by `omega`."""
    sizes = {n: found.high[n] - found.low[n] + 1 for n in bounded}
    name = min(sizes, key=lambda n: (sizes[n], n), default=None)
    if name is None or not 1 < sizes[name] <= MAX_ARMS:
        return
    lines = [*opening, proof_of_bound(name, found.high[name], terms, found, sorts, "b0")]
    more, _ = _shifted(name, sorts, found, 0)
    if not more and found.low[name]:
        low = found.low[name]
        more = [f"obtain ⟨k0, hk0⟩ : ∃ k : Nat, {name} = {low} + k := ⟨{name} - {low}, by omega⟩"]
    split = name
    if more:
        lines += [*more, f"have b1 : k0 < {sizes[name]} := by omega", "subst hk0"]
        split = "k0"
    hypotheses = " ".join([*reading.names, "hneg", "b1" if more else "b0"])
    arms = [f"| {i} => intros; omega" for i in range(sizes[name])]
    lines += [
        f"clear {'b0' if more else ''}".strip() if more else "",
        f"revert {hypotheses}",
        f"match {split} with",
        *arms,
        f"| (_ + {sizes[name]}) => intros; omega",
    ]
    yield Script("search/arms", by(lines))
