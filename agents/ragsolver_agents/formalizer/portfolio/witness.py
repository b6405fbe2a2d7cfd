"""Existential goals: values that make the body true."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, truth
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import Quantifier, Term, variables

MAX_TRIED = 40_000
CLOSING = first(["decide", "omega", "simp_all", "grind", "decide +kernel"])


@dataclass(frozen=True)
class Witness:
    """`∃ x, p x` with x found by evaluation, or among the small numbers and the numerals."""

    name: str = "witness"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per tuple of witnesses."""
        reading = asked.reading
        names, sorts, body = [], dict(reading.sorts), reading.target
        while isinstance(body, Quantifier) and body.kind == "∃" and body.type in {"Nat", "Int"}:
            names.append(body.name)
            sorts[body.name] = body.type
            body = body.body
        if not names or body is None:
            return
        pool = sorted({*range(13), *(n for n in asked.view.numerals if n < 10_000)})
        signed = [*pool, *(-n for n in pool if n)]
        chosen = list(_evaluated(names, sorts, body, pool))
        if not chosen:
            whole = {**sorts, **dict.fromkeys(names, "Int")}
            chosen = list(_evaluated(names, whole, body, signed))
        if not chosen and not reading.closed:
            chosen = list(islice(product(pool, repeat=len(names)), 8))
            chosen = [*((name,) * len(names) for name in reading.naturals[:2]), *chosen]
        for values in chosen[:10]:
            text = ", ".join(f"({value})" for value in values)
            yield Script("witness", by([*reading.opening, f"refine ⟨{text}, ?_⟩", CLOSING]))


def _evaluated(
    names: Sequence[str], sorts: dict[str, str], body: Term, pool: Sequence[int]
) -> Iterator[tuple[int | str, ...]]:
    """Tuples of the pool at which the body is true; none where it cannot be evaluated."""
    if not variables(body) <= set(names):
        return
    for values in islice(product(pool, repeat=len(names)), MAX_TRIED):
        try:
            if truth(body, dict(zip(names, values, strict=True)), sorts):
                yield values
                return
        except UnknownValueError:
            return
