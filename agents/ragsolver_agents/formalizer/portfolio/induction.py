"""Induction on each natural variable."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.reading import Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import (
    Num,
    Op,
    Quantifier,
    Term,
    Var,
    render,
    subterms,
)
from ragsolver_agents.formalizer.portfolio.terms import variables as variables_of

EXPAND = (
    "Nat.pow_succ, Nat.pow_add, Nat.pow_zero, Nat.one_mul, Nat.mul_one, Nat.mul_add, Nat.add_mul, "
    "Nat.mul_succ, Nat.succ_mul"
)


@dataclass(frozen=True)
class Induction:
    """Base and step closed by `omega`, `simp_all` or `grind`, with laws of powers."""

    name: str = "induction"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """Two scripts per variable: with powers expanded, and by `grind` alone."""
        reading = asked.reading
        for name in reading.naturals:
            instances = _instances(reading)
            powers = _powers(reading, name)
            step = [
                *instances,
                *powers,
                first(
                    [
                        "omega",
                        f"(simp only [{EXPAND}] at * <;> omega)",
                        "simp_all",
                        f"(simp_all [{EXPAND}] <;> omega)",
                        "grind",
                    ]
                ),
            ]
            lines = [
                *reading.opening,
                f"induction {name} with",
                f"| zero => {first(['omega', 'simp_all', 'grind', 'decide'])}",
                "| succ k ih =>",
                *(f"  {line}" for line in step),
            ]
            yield from _from_start(reading, name)
            yield Script("induction/omega", by(lines))
            yield Script(
                "induction/grind",
                by([*reading.opening, f"induction {name} <;> grind [Nat.pow_succ]"]),
            )


def _from_start(reading: Reading, name: str) -> Iterator[Script]:
    """Induction from the least value that a hypothesis allows."""
    start = max((_least(fact.term, name) for fact in reading.facts), default=0)
    if not 1 < start <= 50:
        return
    step = first(["omega", f"(simp only [{EXPAND}] at * <;> omega)", "(simp_all; done)", "grind"])
    at = f"({start} + k)"
    lines = [
        *reading.opening,
        f"obtain ⟨d, hd⟩ := Nat.exists_eq_add_of_le (show {start} ≤ {name} by omega)",
        "subst hd",
        "induction d with",
        f"| zero => {first(['decide', 'omega', '(simp_all; done)', 'grind'])}",
        "| succ k ih =>",
        "  try replace ih := ih (by omega)",
        f"  have sq := Nat.mul_le_mul (show {start} ≤ {at} by omega) (Nat.le_refl {at})",
        *(f"  {line}" for line in _powers(reading, name)),
        f"  {step}",
    ]
    yield Script("induction/start", by(lines))


def _least(term: Term, name: str) -> int:
    """Least value of the variable under a comparison with a numeral; 0 where it says nothing."""
    if isinstance(term, Op) and term.symbol in {"≤", "<", "≥", ">"}:
        left, right = term.args if term.symbol in {"≤", "<"} else term.args[::-1]
        if isinstance(left, Num) and right == Var(name):
            return left.value + (term.symbol in {"<", ">"})
    return 0


def _instances(reading: Reading) -> list[str]:
    """Universal hypotheses at the number of the step."""
    return [
        f"have i{i} := {fact.proof} k"
        for i, fact in enumerate(reading.hypotheses)
        if isinstance(fact.term, Quantifier) and fact.term.kind == "∀" and fact.term.type == "Nat"
    ]


def _powers(reading: Reading, name: str) -> list[str]:
    """Lower bounds of the powers whose exponent is the variable."""
    bases = {
        render(item.args[0])
        for term in reading.terms
        for item in subterms(term)
        if isinstance(item, Op)
        and item.symbol == "^"
        and isinstance(item.args[0], Num)
        and item.args[0].value > 1
        and name in variables_of(item.args[1])
    }
    return [
        f"have p{base} := Nat.lt_pow_self (n := k) (show 1 < {base} by decide)"
        for base in sorted(bases)
    ]
