"""Sequences given by a recurrence: followed value by value, or by their period."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number
from ragsolver_agents.formalizer.portfolio.reading import Fact, Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.substitution import replace
from ragsolver_agents.formalizer.portfolio.terms import (
    Call,
    Num,
    Op,
    Quantifier,
    Term,
    Var,
    render,
    subterms,
)

MAX_STEPS = 150
MAX_PERIOD = 40
MAX_BITS = 400
TYPES = {"Nat → Nat": "Nat", "Nat → Int": "Int"}


@dataclass(frozen=True)
class _Rule:
    """`u (n + shift) = body` for every n from `least` on."""

    function: str
    sort: str
    proof: str
    variable: str
    shift: int
    least: int
    guarded: bool
    body: Term

    def instance(self, n: int, index: str = "") -> str:
        """The rule at `n`, or at `index + n`, as a term of type `u … = …`."""
        at = f"({index} + {n})" if index else str(n)
        return f"{self.proof} {at}{' (by omega)' if self.guarded else ''}"

    def equation(self, n: int, index: str = "") -> str:
        """What the instance says, with arguments computed."""
        right = _computed(replace(self.body, {self.variable: Num(n)}), self.function, index)
        return f"{self.function} {_at(n + self.shift, index)} = {render(right)}"


@dataclass(frozen=True)
class Recurrence:
    """Values up to the goal's arguments one by one; far arguments by the period."""

    name: str = "recurrence"
    cost: int = 2
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """One script per sequence that the goal asks for."""
        reading = asked.reading
        for fact in reading.hypotheses:
            rule = _rule(fact, reading.functions)
            wanted = _wanted(reading, rule.function) if rule is not None else []
            if rule is None or not wanted:
                continue
            start = _start(reading, rule)
            if max(wanted) <= MAX_STEPS:
                table = _follow(rule, {n: v for n, (v, _) in start.items()}, max(wanted))
                if set(wanted) <= set(table):
                    lines = _chain(rule, start, table)
                    yield _script("recurrence/steps", reading, [*lines, _closing(wanted)])
            else:
                lines = _periodic(rule, start, wanted)
                if lines:
                    yield _script("recurrence/period", reading, lines)


def _script(strategy: str, reading: Reading, lines: Sequence[str]) -> Script:
    return Script(strategy, by([*reading.opening, *lines]))


def _closing(wanted: Sequence[int]) -> str:
    names = ", ".join(f"v{n}" for n in wanted)
    return first([f"(simp [{names}]; done)", "omega", f"(simp [{names}] <;> omega)"])


def _rule(fact: Fact, functions: Mapping[str, str]) -> _Rule | None:
    term = fact.term
    if not isinstance(term, Quantifier) or term.kind != "∀" or term.type != "Nat":
        return None
    guard, body = None, term.body
    if isinstance(body, Op) and body.symbol == "→":
        guard, body = body.args
    least = _least(guard, term.name)
    if least is None or not isinstance(body, Op) or body.symbol != "=":
        return None
    left, right = body.args
    if not isinstance(left, Call) or TYPES.get(functions.get(left.function, "")) is None:
        return None
    try:
        shift = number(left.args[0], {term.name: 0}, {})
    except UnknownValueError:
        return None
    sort = TYPES[functions[left.function]]
    return _Rule(
        left.function, sort, fact.proof, term.name, shift, least, guard is not None, right
    )


def _least(guard: Term | None, name: str) -> int | None:
    """Least value of the variable under a guard such as `n ≥ 5` or `0 < n`."""
    if guard is None:
        return 0
    if isinstance(guard, Op):
        left, right = guard.args
        if left == Var(name) and isinstance(right, Num) and guard.symbol in {"≥", ">"}:
            return right.value + (guard.symbol == ">")
        if right == Var(name) and isinstance(left, Num) and guard.symbol in {"≤", "<"}:
            return left.value + (guard.symbol == "<")
    return None


def _wanted(reading: Reading, function: str) -> list[int]:
    """Arguments at which the goal asks for the sequence."""
    found = set()
    for item in subterms(reading.target) if reading.target is not None else ():
        if isinstance(item, Call) and item.function == function:
            try:
                found.add(number(item.args[0], {}, {}))
            except UnknownValueError:
                continue
    return sorted(found)


def _start(reading: Reading, rule: _Rule) -> dict[int, tuple[int, str]]:
    """Given values with their proofs."""
    found = {}
    for fact in reading.facts:
        term = fact.term
        if isinstance(term, Op) and term.symbol == "=" and isinstance(term.args[0], Call):
            try:
                if term.args[0].function == rule.function:
                    index = number(term.args[0].args[0], {}, {})
                    found[index] = (number(term.args[1], {}, {}), fact.proof)
            except UnknownValueError:
                continue
    return found


def _computed(term: Term, function: str, index: str = "") -> Term:
    """The term with the arguments of the sequence computed, after `index` where given."""
    if isinstance(term, Call) and term.function == function:
        return Call(function, (Var(_at(number(term.args[0], {}, {}), index)),))
    if isinstance(term, Op):
        return Op(term.symbol, tuple(_computed(item, function, index) for item in term.args))
    return term


def _at(n: int, index: str) -> str:
    return f"({index} + {n})" if index else str(n)


def _value(rule: _Rule, n: int, table: Mapping[int, int]) -> int:
    def known(term: Term) -> Term:
        if isinstance(term, Call) and term.function == rule.function:
            value = table.get(number(term.args[0], {}, {}))
            if value is None:
                raise UnknownValueError("not reached yet")
            size: Term = Num(abs(value))
            whole = Op("↑", (size,)) if rule.sort == "Int" else size
            return Op("neg", (whole,)) if value < 0 else whole
        if isinstance(term, Op):
            return Op(term.symbol, tuple(known(item) for item in term.args))
        return term

    return number(known(replace(rule.body, {rule.variable: Num(n)})), {}, {})


def _follow(rule: _Rule, start: Mapping[int, int], last: int) -> dict[int, int]:
    """Values up to an index, as far as the rule reaches."""
    table = dict(start)
    for index in range(last + 1):
        if index not in table and index - rule.shift >= rule.least:
            try:
                value = _value(rule, index - rule.shift, table)
            except UnknownValueError:
                continue
            if value.bit_length() > MAX_BITS:
                break
            table[index] = value
    return table


def _chain(
    rule: _Rule, start: Mapping[int, tuple[int, str]], table: Mapping[int, int]
) -> list[str]:
    """One `have` per value, each from the ones before."""
    lines = []
    for index in sorted(table):
        stated = f"have v{index} : {rule.function} {index} = {table[index]} :="
        if index in start:
            lines.append(f"{stated} {start[index][1]}")
            continue
        n = index - rule.shift
        called = re.findall(rf"(?<!\S){re.escape(rule.function)} (\d+)", _spaced(rule.equation(n)))
        used = sorted({int(i) for i in called} - {index})
        names = ", ".join(f"v{i}" for i in used)
        lines += [
            f"have r{index} : {rule.equation(n)} := {rule.instance(n)}",
            f"{stated} by simp [r{index}{', ' if names else ''}{names}]",
        ]
    return lines


def _spaced(text: str) -> str:
    return text.replace("(", " ").replace(")", " ")


def _periodic(
    rule: _Rule, start: Mapping[int, tuple[int, str]], wanted: Sequence[int]
) -> list[str]:
    """The values of one period hold in every period, by induction."""
    outside = [
        item
        for item in subterms(replace(rule.body, {}))
        if isinstance(item, Op) and Var(rule.variable) in item.args and item.symbol not in "+-"
    ]
    table = _follow(rule, {n: v for n, (v, _) in start.items()}, 4 * MAX_PERIOD)
    period = _period(table, len(start))
    if outside or period is None or not start:
        return []
    first_ = min(start)
    values = [table[first_ + j] for j in range(period)]
    once = {i: v for i, v in table.items() if i < first_ + period}
    index, f = f"{period} * k", rule.function
    statement = " ∧ ".join(f"{f} ({index} + {first_ + j}) = {v}" for j, v in enumerate(values))
    lines = [
        *_chain(rule, start, once),
        f"have per : ∀ k : Nat, {statement} := by",
        "  intro k",
        "  induction k with",
        f"  | zero => exact ⟨{', '.join(f'v{first_ + j}' for j in range(period))}⟩",
        "  | succ k ih =>",
        f"    obtain ⟨{', '.join(f'e{j}' for j in range(period))}⟩ := ih",
    ]
    for j, value in enumerate(values):
        at = first_ + period + j
        n = at - rule.shift
        names = {first_ + i: f"e{i}" for i in range(period)}
        names |= {first_ + period + i: f"w{i}" for i in range(j)}
        equation = rule.equation(n, index)
        used = [name for i, name in names.items() if f"+ {i})" in equation]
        lines += [
            f"    have q{j} : {equation} := {rule.instance(n, index)}",
            f"    have w{j} : {f} ({index} + {at}) = {value} := by",
            f"      rw [{', '.join([f'q{j}', *reversed(used)])}]; first | done | rfl | decide",
        ]
    parts = []
    for j in range(period):
        moved = f"{period} * (k + 1) + {first_ + j} = {index} + {first_ + period + j}"
        parts.append(f"by rw [show {moved} by omega]; exact w{j}")
    lines.append(f"    exact ⟨{', '.join(parts)}⟩")
    for far in wanted:
        turn, j = divmod(far - first_, period)
        path = ".2" * j + (".1" if j < period - 1 else "")
        lines.append(f"have v{far} : {f} {far} = {values[j]} := (per {turn}){path}")
    return [*lines, _closing(wanted)]


def _period(table: Mapping[int, int], order: int) -> int | None:
    """Least period with which the values after the first repeat, as far as they are known."""
    indices = sorted(table)
    values = [table[i] for i in indices]
    if indices != list(range(indices[0], indices[0] + len(indices))):
        return None
    for period in range(max(order, 1), MAX_PERIOD + 1):
        if len(values) > 2 * period and values[period:] == values[:-period]:
            return period
    return None
