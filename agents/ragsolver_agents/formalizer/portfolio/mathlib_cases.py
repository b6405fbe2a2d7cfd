"""Bounded variables with Mathlib: `interval_cases`."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.bounds import box
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import Op, conjuncts

MOST = 200
"""Cases at most."""
CLOSING = "first | omega | norm_num at * | simp_all | nlinarith"


@dataclass(frozen=True)
class MathlibCases:
    """`interval_cases` on each variable with bounds, the narrowest first."""

    name: str = "mathlib_cases"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per bounded variable; none without Mathlib."""
        reading = asked.reading
        if not asked.mathlib or reading.target is None:
            return
        guesses = [part for fact in reading.facts for part in conjuncts(fact.term)]
        found = box([*guesses, Op("¬", (reading.target,))], reading.sorts)
        sizes = {
            name: found.high[name] - found.low[name] + 1
            for name in reading.sorts
            if name in found.low and name in found.high
        }
        for name in sorted(sizes, key=lambda item: (sizes[item], item)):
            if 0 < sizes[name] <= MOST:
                bounds = [
                    f"have hl : {found.low[name]} ≤ {name} := by first | omega | nlinarith",
                    f"have hu : {name} ≤ {found.high[name]} := by first | omega | nlinarith",
                ]
                lines = [*reading.opening, "by_contra hneg", *bounds]
                lines.append(f"interval_cases {name} <;> ({CLOSING})")
                yield Script(f"mathlib_cases/{name}", by(lines))
