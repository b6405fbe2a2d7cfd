"""The statement is false: a counterexample among small numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, truth
from ragsolver_agents.formalizer.portfolio.reading import NUMBERS, Reading, read
from ragsolver_agents.formalizer.portfolio.script import Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import Op, Term, plain_type
from ragsolver_agents.lemmas import Lemma
from ragsolver_contracts.lean import StatementView

MAX_TRIED = 10_000


@dataclass(frozen=True)
class Refute:
    """Proofs of the negation of the whole statement; reads the statement itself."""

    name: str = "refute"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, view: StatementView, lemmas: Sequence[Lemma]) -> Iterator[Script]:
        """A found counterexample, else small instances with general closers."""
        reading = read(view)
        data = [binder for binder in view.binders if not binder.is_prop]
        if not view.binders:
            for tactic in ("decide", "decide +kernel", "simp", "omega", "grind"):
                yield Script(f"refute/{tactic}", by([tactic]))
            return
        if any(plain_type(binder.type) not in NUMBERS for binder in data):
            yield Script("refute/simp", by(["intro h", "simp_all"]))
            return
        found = _counterexample(reading)
        if found is not None:
            yield _instance(view, found)
        elif len(data) <= 2 and not any(binder.is_prop for binder in view.binders):
            for values in islice(product((0, 1, 2), repeat=len(data)), 4):
                names = [binder.name for binder in data]
                yield _instance(view, dict(zip(names, values, strict=True)))


def _instance(view: StatementView, values: Mapping[str, int]) -> Script:
    arguments = []
    for binder in view.binders:
        if binder.is_prop:
            arguments.append("(by first | decide | omega | simp | decide +kernel)")
        else:
            arguments.append(f"({values[binder.name]})")
    closing = first(
        [
            "(revert hc; decide)",
            "omega",
            "(simp at hc; done)",
            "(revert hc; decide +kernel)",
            "grind",
        ]
    )
    proof = by(["intro h", f"have hc := h {' '.join(arguments)}", closing])
    return Script("refute/counterexample", proof)


def _counterexample(reading: Reading) -> dict[str, int] | None:
    """Numbers that satisfy every hypothesis and not the target; none where none is seen."""
    if reading.target is None or reading.opening:
        return None
    names = list(reading.sorts)
    pools = [_pool(reading.sorts[name], len(names)) for name in names]
    checks: list[Term] = [*(fact.term for fact in reading.facts), Op("¬", (reading.target,))]
    try:
        for values in islice(product(*pools), MAX_TRIED):
            chosen = dict(zip(names, values, strict=True))
            if all(truth(term, chosen, reading.sorts) for term in checks):
                return chosen
    except UnknownValueError:
        return None
    return None


def _pool(sort: str, count: int) -> list[int]:
    most = {1: 4_000, 2: 120, 3: 24, 4: 10}.get(count, 5)
    if sort == "Nat":
        return list(range(most + 1))
    return [0, *(n for k in range(1, most // 2 + 1) for n in (k, -k))]
