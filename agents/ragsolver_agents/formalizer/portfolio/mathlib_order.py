"""Inequalities with Mathlib: `nlinarith` with products of hypotheses, and `gcongr`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ragsolver_agents.formalizer.portfolio.mathlib_facts import ORDERS, NumberFacts, number_facts
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import Op

MAX_VARIABLES = 4
MAX_PRODUCTS = 8


@dataclass(frozen=True)
class MathlibOrder:
    """`nlinarith` with squares of differences and products of hypotheses; `gcongr`."""

    name: str = "mathlib_order"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """From no hint to all of them; none without Mathlib or for another goal."""
        if not asked.mathlib:
            return
        facts = number_facts(asked.view)
        if not _is_inequality(facts):
            return
        squares, products = _squares(facts.variables), _products(facts)
        hints = {"plain": [], "squares": squares, "products": products}
        if squares and products:
            hints["all"] = [*squares, *products]
        for name, terms in hints.items():
            if terms or name == "plain":
                given = f" [{', '.join(terms)}]" if terms else ""
                yield Script(f"mathlib_order/nlinarith_{name}", by([f"nlinarith{given}"]))
        yield Script("mathlib_order/positivity", by(["positivity"]))
        yield Script("mathlib_order/gcongr", by(["gcongr <;> first | assumption | linarith"]))
        if squares:
            lines = ["rw [div_add_div _ _ (by positivity) (by positivity), div_le_div_iff₀"]
            lines[0] += " (by positivity) (by positivity)]"
            yield Script(
                "mathlib_order/fractions",
                by(["try field_simp", *lines, f"nlinarith [{', '.join([*squares, *products])}]"]),
            )


def _is_inequality(facts: NumberFacts) -> bool:
    return isinstance(facts.target, Op) and facts.target.symbol in {*ORDERS, "≠"}


def _squares(variables: Sequence[str]) -> list[str]:
    """`0 ≤ (a - b) ^ 2` for every pair, and of every variable."""
    chosen = variables[:MAX_VARIABLES]
    pairs = [f"sq_nonneg ({a} - {b})" for a, b in combinations(chosen, 2)]
    return [*pairs, *(f"sq_nonneg {name}" for name in chosen)]


def _products(facts: NumberFacts) -> list[str]:
    """Products of two hypotheses on the sign of a variable."""
    found = [f"mul_pos {a} {b}" for a, b in combinations(facts.positive(), 2)]
    weak = facts.positive(strict=False)
    found += [f"mul_nonneg {a} {b}" for a, b in combinations(weak, 2)]
    found += [f"mul_nonneg (le_of_lt {a}) {b}" for a in facts.positive() for b in weak]
    bounds = [
        fact.proof
        for fact in facts.facts
        if isinstance(fact.term, Op) and fact.term.symbol in {"≤", "≥"} and fact.proof not in weak
    ]
    found += [
        f"mul_nonneg (sub_nonneg.mpr {a}) (sub_nonneg.mpr {b})" for a, b in combinations(bounds, 2)
    ]
    return found[:MAX_PRODUCTS]
