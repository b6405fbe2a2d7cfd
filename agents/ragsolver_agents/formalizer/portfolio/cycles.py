"""Powers of numerals with a variable exponent, modulo a numeral: they repeat."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number
from ragsolver_agents.formalizer.portfolio.polynomials import polynomial
from ragsolver_agents.formalizer.portfolio.reading import Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import (
    Num,
    Op,
    Term,
    Var,
    render,
    subterms,
    variables,
)
from ragsolver_agents.formalizer.portfolio.toolbox import POW_CYCLE

MAX_CASES = 60
MAX_MODULUS = 2_000


@dataclass(frozen=True)
class _Power:
    base: int
    exponent: Term
    preperiod: int
    period: int


@dataclass(frozen=True)
class Cycles:
    """Cases on the exponent modulo the period, each closed by `omega`."""

    name: str = "cycles"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per modulus of the statement."""
        reading = asked.reading
        for modulus in _moduli(reading):
            powers = _powers(reading, modulus)
            names = sorted({name for power in powers for name in variables(power.exponent)})
            if powers and len(names) == 1 and names[0] in reading.naturals:
                lines = _cases(reading, powers, modulus, names[0])
                if lines is not None:
                    yield Script("cycles", by([*reading.opening, *lines]), preamble=POW_CYCLE)


def _moduli(reading: Reading) -> list[int]:
    """Numerals by which something is divided, and their products' least common multiple."""
    found = set()
    for term in reading.terms:
        for item in subterms(term):
            if isinstance(item, Op) and item.symbol in {"%", "∣"}:
                divisor = item.args[1] if item.symbol == "%" else item.args[0]
                try:
                    found.add(number(divisor, {}, {}))
                except UnknownValueError:
                    continue
    return [m for m in sorted(found) if 1 < m <= MAX_MODULUS][:3]


def _powers(reading: Reading, modulus: int) -> list[_Power]:
    found = {}
    for term in reading.terms:
        for item in subterms(term):
            if isinstance(item, Op) and item.symbol == "^" and isinstance(item.args[0], Num):
                base, exponent = item.args[0].value, item.args[1]
                shape = polynomial(exponent, subtraction=False)
                linear = shape is not None and all(
                    len(m) <= 1 and dict(m).get(next(iter(dict(m)), ""), 1) <= 1 for m in shape
                )
                if linear and variables(exponent) and base > 1:
                    found[(base, exponent)] = _Power(base, exponent, *_cycle(base, modulus))
    return list(found.values())


def _cycle(base: int, modulus: int) -> tuple[int, int]:
    """Preperiod and period of the powers of `base` modulo `modulus`."""
    seen: dict[int, int] = {}
    value, exponent = 1 % modulus, 0
    while value not in seen:
        seen[value] = exponent
        value, exponent = value * base % modulus, exponent + 1
    return seen[value], exponent - seen[value]


def _cases(
    reading: Reading, powers: Sequence[_Power], modulus: int, name: str
) -> list[str] | None:
    """Case split on the exponent variable modulo the common period, and what holds in each."""
    monomials = _monomials(reading, name)
    period = math.lcm(*(power.period for power in powers), modulus if monomials else 1)
    start = max(power.preperiod for power in powers)
    known = _definition(reading, name)
    if known is None and period + start > MAX_CASES:
        return None
    lines = []
    for i, power in enumerate(powers):
        text = render(power.exponent)
        lines += [
            f"have v{i} := Nat.pow_pos (n := {text}) (show 0 < {power.base} by decide)",
            f"have c{i} := pow_cycle {power.base} {modulus} {power.period} {power.preperiod} "
            f"(by decide) {_shifted(power)}",
        ]
    lines += [f"have m{i} := Nat.pow_mod {name} {e} {modulus}" for i, e in enumerate(monomials)]
    if known is not None and known[1] >= start:
        proof, value = known
        residue = value % period
        return [
            *lines,
            f"have cs : {start} ≤ {name} ∧ {name} % {period} = {residue} := by",
            f"  rw [{proof}]; decide +kernel",
            f"clear {proof}",
            *_case(reading, powers, monomials, (name, residue, period), modulus),
        ]
    small = [f"{name} = {j}" for j in range(start)]
    large = [f"({start} ≤ {name} ∧ {name} % {period} = {j})" for j in range(period)]
    lines.append(f"have cs : {' ∨ '.join([*small, *large])} := by omega")
    lines.append(f"rcases cs with {' | '.join(['cs'] * (start + period))}")
    lines += ["· subst cs; first | omega | simp_all | (simp at * <;> omega)"] * start
    for j in range(period):
        case = _case(reading, powers, monomials, (name, j, period), modulus)
        lines.append("· " + "\n  ".join(case))
    return lines


def _definition(reading: Reading, name: str) -> tuple[str, int] | None:
    """The hypothesis that gives the variable a value, and the value."""
    for fact in reading.hypotheses:
        term = fact.term
        if isinstance(term, Op) and term.symbol == "=" and term.args[0] == Var(name):
            try:
                return fact.proof, number(term.args[1], {}, {})
            except UnknownValueError:
                continue
    return None


def _monomials(reading: Reading, name: str) -> list[int]:
    """Numeral exponents with which the variable itself occurs."""
    return sorted(
        {
            item.args[1].value
            for term in reading.terms
            for item in subterms(term)
            if isinstance(item, Op)
            and item.symbol == "^"
            and item.args[0] == Var(name)
            and isinstance(item.args[1], Num)
        }
    )


def _shifted(power: _Power) -> str:
    text = render(power.exponent)
    return _arg(f"({text} - {power.preperiod})" if power.preperiod else text)


def _case(
    reading: Reading,
    powers: Sequence[_Power],
    monomials: Sequence[int],
    case: tuple[str, int, int],
    modulus: int,
) -> list[str]:
    """Tactics for one residue of the variable modulo the period."""
    name, residue, period = case
    lines = []
    for i, power in enumerate(powers):
        far = residue + period * power.preperiod
        amount = number(power.exponent, {name: far}, reading.sorts) - power.preperiod
        shifted = _shifted(power)
        lines += [
            f"have r{i} : {shifted} % {power.period} = {amount % power.period} := by omega",
            f"rw [r{i}] at c{i}",
        ]
        if power.preperiod:
            back = f"{shifted} + {power.preperiod} = {render(power.exponent)}"
            lines.append(f"rw [show {back} by omega] at c{i}")
    for i in range(len(monomials)):
        lines.append(f"rw [show {name} % {modulus} = {residue % modulus} by omega] at m{i}")
    return [*lines, "try simp only [Nat.add_zero, Nat.zero_add] at *", "omega"]


def _arg(text: str) -> str:
    return text if text.startswith("(") or " " not in text else f"({text})"
