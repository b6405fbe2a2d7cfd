"""A product that equals a numeral: each factor is one of its divisors."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number
from ragsolver_agents.formalizer.portfolio.reading import Fact, Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import Op, Term, Var, render, variables
from ragsolver_agents.formalizer.portfolio.toolbox import ALL_BELOW, divisors, is_divisor

MAX_VALUE = 2_500
MAX_DIVISORS = 36


@dataclass(frozen=True)
class DivisorSplit:
    """Cases over the divisors, the rest by `omega` or evaluation."""

    name: str = "divisor_split"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per variable that is a factor."""
        reading = asked.reading
        for fact in reading.facts:
            for product_, value in _products(fact):
                if len(divisors(value)) > MAX_DIVISORS:
                    continue
                for factor in _factors(product_):
                    if isinstance(factor, Var) and factor.name in reading.sorts:
                        lines = _lines(reading, fact, product_, factor, value)
                        yield Script(
                            "divisor_split", by([*reading.opening, *lines]), preamble=ALL_BELOW
                        )


def _products(fact: Fact) -> Iterator[tuple[Op, int]]:
    if isinstance(fact.term, Op) and fact.term.symbol == "=":
        for one, other in (fact.term.args, fact.term.args[::-1]):
            if isinstance(one, Op) and one.symbol == "*" and variables(one):
                try:
                    value = number(other, {}, {})
                except UnknownValueError:
                    continue
                if 0 < value <= MAX_VALUE:
                    yield one, value


def _factors(term: Term) -> list[Term]:
    if isinstance(term, Op) and term.symbol == "*":
        return _factors(term.args[0]) + _factors(term.args[1])
    return [term]


def _lines(reading: Reading, fact: Fact, product_: Op, factor: Var, value: int) -> list[str]:
    others = list(_factors(product_))
    others.remove(factor)
    rest = " * ".join(render(item) for item in others) or "1"
    name = factor.name
    patterns = ["rfl"] * len(divisors(value))
    closing = first(["omega", "(simp at * <;> omega)", "simp_all", "grind"])
    lines = [f"have dd : {name} ∣ {value} := ⟨{rest}, by first | omega | grind⟩"]
    if reading.sorts[name] == "Nat":
        return [
            *lines,
            "have dl := Nat.le_of_dvd (by decide) dd",
            is_divisor("dn", value),
            f"rcases dn _ (Nat.lt_succ_of_le dl) dd with {' | '.join(patterns)} <;> {closing}",
        ]
    return [
        *lines,
        "have da := Int.natAbs_dvd_natAbs.2 dd",
        f"have dl := Nat.le_of_dvd (show 0 < {value} by decide) da",
        is_divisor("dn", value),
        f"have ds : {name} = {name}.natAbs ∨ {name} = -{name}.natAbs := by omega",
        f"rcases dn _ (Nat.lt_succ_of_le dl) da with {' | '.join(['dc'] * len(patterns))}",
        "all_goals rw [dc] at ds; clear dc dn da dl dd",
        "all_goals rcases ds with ds | ds <;> subst ds",
        f"all_goals {closing}",
    ]
