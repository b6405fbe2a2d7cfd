"""Cases on every variable modulo a numeral under which the statement becomes finite."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number, truth
from ragsolver_agents.formalizer.portfolio.reading import Reading, relation_sort
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by
from ragsolver_agents.formalizer.portfolio.terms import Num, Op, Term, subterms, variables
from ragsolver_contracts.lean import StatementView

USUAL = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16)
"""Moduli under which small powers take few values."""

MAX_CASES = 144
MAX_MODULUS = 64

NATURAL = "Nat.pow_succ, Nat.mul_mod, Nat.add_mod"
INTEGER = "Int.pow_succ, Int.mul_emod, Int.add_emod, Int.sub_emod"


@dataclass(frozen=True)
class Residues:
    """The least modulus that decides the statement for all residues of its variables."""

    name: str = "residues"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script for the least such modulus."""
        reading = asked.reading
        if reading.target is None:
            return
        names = sorted(
            name
            for name in reading.sorts
            if any(name in variables(term) for term in reading.terms)
        )
        for modulus in _moduli(asked.view, reading):
            if not names or modulus ** len(names) > MAX_CASES:
                continue
            if _decides(reading, names, modulus):
                yield Script(f"residues/{modulus}", by(_lines(reading, names, modulus)))
                return


def _moduli(view: StatementView, reading: Reading) -> list[int]:
    own = {
        item.value
        for term in reading.terms
        for item in subterms(term)
        if isinstance(item, Num) and 1 < item.value <= MAX_MODULUS
    }
    return sorted({*own, *USUAL})


def _decides(reading: Reading, names: Sequence[str], modulus: int) -> bool:
    """Whether the hypotheses modulo `modulus` imply the target for all residues."""
    target = reading.target
    if target is None:
        return False
    for values in product(range(modulus), repeat=len(names)):
        residues = dict(zip(names, values, strict=True))
        open_case = all(
            _possible(fact.term, residues, reading.sorts, modulus) for fact in reading.facts
        )
        if open_case and not _certain(target, residues, reading.sorts, modulus):
            return False
    return True


def _respects(divisor: Term, modulus: int) -> bool:
    try:
        value = number(divisor, {}, {})
    except UnknownValueError:
        return False
    return value > 0 and modulus % value == 0


def _certain(
    term: Term, residues: Mapping[str, int], sorts: Mapping[str, str], modulus: int
) -> bool:
    """Whether the proposition is true for every number with these residues."""
    if not isinstance(term, Op):
        return False
    if term.symbol in {"∧", "∨"}:
        parts = [_certain(item, residues, sorts, modulus) for item in term.args]
        return all(parts) if term.symbol == "∧" else any(parts)
    if term.symbol == "¬":
        return not _possible(term.args[0], residues, sorts, modulus)
    if term.symbol == "≠":
        return not _possible(Op("=", term.args), residues, sorts, modulus)
    return _determined(term, modulus) and _value(term, residues, sorts)


def _possible(
    term: Term, residues: Mapping[str, int], sorts: Mapping[str, str], modulus: int
) -> bool:
    """Whether the proposition may be true for some numbers with these residues."""
    if not isinstance(term, Op):
        return True
    if term.symbol in {"∧", "∨"}:
        parts = [_possible(item, residues, sorts, modulus) for item in term.args]
        return all(parts) if term.symbol == "∧" else any(parts)
    if term.symbol == "¬":
        return not _certain(term.args[0], residues, sorts, modulus)
    if _determined(term, modulus):
        return _value(term, residues, sorts)
    if term.symbol == "=" and _is_polynomial(term, relation_sort(term, sorts)):
        try:
            left, right = (
                number(item, residues, dict.fromkeys(residues, "Int")) for item in term.args
            )
        except UnknownValueError:
            return True
        return (left - right) % modulus == 0
    return True


def _is_polynomial(term: Term, sort: str) -> bool:
    allowed = {"+", "*", "^", "=", "≠"} | ({"-", "neg"} if sort == "Int" else set())
    return all(
        not isinstance(item, Op)
        or (item.symbol in allowed and (item.symbol != "^" or not variables(item.args[1])))
        for item in subterms(term)
    )


def _determined(term: Op, modulus: int) -> bool:
    """Whether residues alone decide the relation."""
    if term.symbol == "∣":
        return _respects(term.args[0], modulus) and _is_polynomial(term.args[1], "Int")
    if term.symbol == "=":
        return any(
            isinstance(one, Op)
            and one.symbol == "%"
            and _respects(one.args[1], modulus)
            and _is_polynomial(one.args[0], "Int")
            and not variables(other)
            for one, other in (term.args, term.args[::-1])
        )
    return False


def _value(term: Term, residues: Mapping[str, int], sorts: Mapping[str, str]) -> bool:
    try:
        return truth(term, residues, dict.fromkeys(residues, "Int"))
    except UnknownValueError:
        return False


def _lines(reading: Reading, names: Sequence[str], modulus: int) -> list[str]:
    lines = list(reading.opening)
    equations = []
    for i, fact in enumerate(reading.facts):
        term = fact.term
        if (
            isinstance(term, Op)
            and term.symbol == "="
            and not _determined(term, modulus)
            and _is_polynomial(term, relation_sort(term, reading.sorts))
        ):
            lines.append(f"have e{i} := congrArg (fun z => z % {modulus}) {fact.proof}")
            equations.append(f"e{i}")
    if isinstance(reading.target, Op) and reading.target.symbol == "≠":
        lines += [
            "intro hne",
            f"have e := congrArg (fun z => z % {modulus}) hne",
        ]
        equations.append("e")
    for i, name in enumerate(names):
        cases = " ∨ ".join(f"{name} % {modulus} = {r}" for r in range(modulus))
        lines.append(f"have r{i} : {cases} := by omega")
    for i in range(len(names)):
        pattern = " | ".join([f"r{i}"] * modulus)
        lines.append(
            f"rcases r{i} with {pattern}" if i == 0 else f"all_goals rcases r{i} with {pattern}"
        )
    given = ", ".join(f"r{i}" for i in range(len(names)))
    integer = any(reading.sorts[name] == "Int" for name in names)
    laws = f"{INTEGER if integer else NATURAL}, {given}"
    where = " ".join([*equations, "⊢"])
    tries = ["omega", f"(simp [{laws}] at {where}; done)", f"(simp [{laws}] at {where} <;> omega)"]
    tries.append(f"(simp [Nat.dvd_iff_mod_eq_zero, Int.dvd_iff_emod_eq_zero, {laws}] at *; done)")
    tries.append(
        f"(simp [Nat.dvd_iff_mod_eq_zero, Int.dvd_iff_emod_eq_zero, {laws}] at * <;> omega)"
    )
    lines.append(f"all_goals first | {' | '.join(tries)}")
    return lines
