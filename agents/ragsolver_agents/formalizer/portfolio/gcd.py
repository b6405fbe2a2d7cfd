"""Common divisors: a linear combination of two multiples that is a numeral."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.polynomials import Polynomial, polynomial
from ragsolver_agents.formalizer.portfolio.reading import Reading, calls
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import Call, Op, Term, Var, render, variables
from ragsolver_agents.formalizer.portfolio.toolbox import ALL_BELOW, divisors, is_divisor

MAX_VALUE = 1500


@dataclass(frozen=True)
class Gcd:
    """Facts about `gcd`, `lcm` and moduli that are variables."""

    name: str = "gcd"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """Standard facts first, then combinations that bound the common divisor."""
        reading = asked.reading
        known = set(reading.sorts)
        found = [c for c in calls(reading, "Nat.gcd") if _over(c, known)]
        for call in found:
            combination = _combine(call.args[0], call.args[1])
            if combination is not None:
                yield Script(
                    "gcd/combination",
                    by([*reading.opening, *_common_divisor(call, *combination)]),
                    preamble=ALL_BELOW,
                )
        pairs = [*found, *(c for c in calls(reading, "Nat.lcm") if _over(c, known))]
        if pairs:
            yield Script("gcd/facts", by([*reading.opening, *_facts(pairs, reading)]))
        yield from _moduli(reading)


def _over(call: Call, known: set[str]) -> bool:
    """Whether a call has two arguments over the given variables alone."""
    return len(call.args) == 2 and variables(call) - {call.function} <= known


def _closing() -> str:
    return first(["omega", "(simp_all; done)", "(simp_all; omega)", "grind"])


def _facts(pairs: Sequence[Call], reading: Reading) -> list[str]:
    """Standard facts about each pair, with the hypotheses' values put in, then closers."""
    arguments = dict.fromkeys(
        (_arg(render(call.args[0])), _arg(render(call.args[1]))) for call in pairs
    )
    equations = [
        fact.proof
        for fact in reading.facts
        if isinstance(fact.term, Op) and fact.term.symbol == "=" and fact.term.args[0] in pairs
    ]
    lines = []
    for i, (a, b) in enumerate(arguments):
        lines += [f"have g{i} := Nat.gcd_dvd {a} {b}", f"have l{i} := Nat.gcd_mul_lcm {a} {b}"]
        if equations:
            lines.append(f"try simp only [{', '.join(equations)}] at g{i} l{i}")
    return [*lines, _closing()]


def _arg(text: str) -> str:
    return text if text.startswith("(") or " " not in text else f"({text})"


def _linear(term: Term, subtraction: bool = False) -> Polynomial | None:
    value = polynomial(term, subtraction)
    if value is None or any(len(m) > 1 or (m and m[0][1] > 1) for m in value):
        return None
    return value if all(c.denominator == 1 for c in value.values()) else None


def _combine(left: Term, right: Term, subtraction: bool = False) -> tuple[int, int, int] | None:
    """Coefficients a, b and the numeral c with a * left + b * right = c, c not 0."""
    first_, second = _linear(left, subtraction), _linear(right, subtraction)
    if first_ is None or second is None:
        return None
    name = next((m for m in first_ if m and m in second), None)
    if name is None:
        return None
    p, q = int(first_[name]), int(second[name])
    shared = math.gcd(p, q)
    a, b = q // shared, -p // shared
    rest = {m: a * first_.get(m, 0) + b * second.get(m, 0) for m in {*first_, *second}}
    if any(value for m, value in rest.items() if m):
        return None
    value = int(rest.get((), 0))
    return (a, b, value) if value > 0 else (-a, -b, -value) if value else None


def _common_divisor(call: Call, a: int, b: int, value: int) -> list[str]:
    left, right = (_arg(render(item)) for item in call.args)
    divisor = _arg(render(call))
    (x, p, hx), (y, q, hy) = (left, a, "gd.1"), (right, b, "gd.2")
    if a < 0:
        (x, p, hx), (y, q, hy) = (y, q, hy), (x, p, hx)
    lines = [
        f"have gd := Nat.gcd_dvd {left} {right}",
        f"have gx : {divisor} ∣ {p} * {x} := Nat.dvd_trans {hx} (Nat.dvd_mul_left _ _)",
        f"have gy : {divisor} ∣ {-q} * {y} := Nat.dvd_trans {hy} (Nat.dvd_mul_left _ _)",
        f"have gv : {divisor} ∣ {value} := by",
        "  have gs := Nat.dvd_sub gx gy",
        f"  rwa [show {p} * {x} - {-q} * {y} = {value} by omega] at gs",
        "have gl := Nat.le_of_dvd (by decide) gv",
    ]
    attempts = ["exact Nat.dvd_one.1 gv", "omega"]
    if value > MAX_VALUE:
        return [*lines, first(attempts)]
    names = " | ".join("ge" for _ in divisors(value))
    cases = f"(rcases gn _ (Nat.lt_succ_of_le gl) gv with {names} <;> {_closing()})"
    return [*lines, is_divisor("gn", value), first([*attempts, cases])]


def _moduli(reading: Reading) -> Iterator[Script]:
    """Two remainders by the same integer variable: it divides a numeral."""
    found: list[tuple[str, Term, Term, Term]] = []
    for fact in reading.facts:
        term = fact.term
        if isinstance(term, Op) and term.symbol == "=":
            left, right = term.args
            if isinstance(left, Op) and left.symbol == "%" and isinstance(left.args[1], Var):
                found.append((fact.proof, left.args[0], left.args[1], right))
    for i, (proof1, e1, m1, r1) in enumerate(found):
        for proof2, e2, m2, r2 in found[i + 1 :]:
            if m1 != m2 or not isinstance(m1, Var) or reading.sorts.get(m1.name) != "Int":
                continue
            combination = _combine(Op("-", (e1, r1)), Op("-", (e2, r2)), subtraction=True)
            if combination is not None and combination[2] <= MAX_VALUE:
                lines = _modulus_divides(
                    m1.name, (proof1, render(e1)), (proof2, render(e2)), combination
                )
                yield Script("gcd/modulus", by([*reading.opening, *lines]), preamble=ALL_BELOW)


def _modulus_divides(
    modulus: str, one: tuple[str, str], two: tuple[str, str], combination: tuple[int, int, int]
) -> list[str]:
    a, b, value = combination
    names = " | ".join("rfl" for _ in divisors(value))
    return [
        f"have q1 := Int.emod_add_mul_ediv {_arg(one[1])} {modulus}",
        f"have q2 := Int.emod_add_mul_ediv {_arg(two[1])} {modulus}",
        f"rw [{one[0]}] at q1",
        f"rw [{two[0]}] at q2",
        f"have md : {modulus} ∣ {value} :=",
        f"  ⟨({a}) * ({one[1]} / {modulus}) + ({b}) * ({two[1]} / {modulus}), by grind⟩",
        f"obtain ⟨j, hj⟩ : ∃ j : Nat, {modulus} = j := ⟨{modulus}.toNat, by omega⟩",
        "subst hj",
        f"have jd : j ∣ {value} := Int.natCast_dvd_natCast.1 md",
        "have jl := Nat.le_of_dvd (by decide) jd",
        "clear q1 q2 md",
        is_divisor("jn", value),
        f"rcases jn j (Nat.lt_succ_of_le jl) jd with {names} <;> omega",
    ]
