"""The statement is false: a counterexample among small numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import TypeGuard

from ragsolver_agents.formalizer.portfolio.evaluate import UnknownValueError, number, truth
from ragsolver_agents.formalizer.portfolio.expressions import term_of, type_of
from ragsolver_agents.formalizer.portfolio.reading import NUMBERS, Reading
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by, first
from ragsolver_agents.formalizer.portfolio.terms import (
    Call,
    Num,
    Op,
    Quantifier,
    Term,
    Var,
    render,
    subterms,
    variables,
)
from ragsolver_contracts.lean import Binder, StatementView

MAX_TRIED = 10_000


@dataclass(frozen=True)
class Refute:
    """Proofs of the negation of the whole statement; reads the statement itself."""

    name: str = "refute"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """A found counterexample, else small instances with general closers."""
        reading = asked.reading
        data = [binder for binder in asked.view.binders if not binder.is_prop]
        if not asked.view.binders:
            for tactic in ("decide", "decide +kernel", "simp", "omega", "grind"):
                yield Script(f"refute/{tactic}", by([tactic]))
            return
        if any(type_of(binder.expression, binder.type) not in NUMBERS for binder in data):
            yield Script("refute/simp", by(["intro h", "simp_all"]))
            return
        found = _counterexample(reading)
        if found is not None:
            yield _instance(asked.view, found)
        elif len(data) <= 2 and not any(binder.is_prop for binder in asked.view.binders):
            for values in islice(product((0, 1, 2), repeat=len(data)), 4):
                names = [binder.name for binder in data]
                yield _instance(asked.view, dict(zip(names, values, strict=True)))


def _instance(view: StatementView, values: Mapping[str, int]) -> Script:
    arguments = []
    for binder in view.binders:
        if binder.is_prop:
            arguments.append(_side_proof(binder))
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


def _side_proof(hypothesis: Binder) -> str:
    """Proof of a hypothesis at the chosen numbers; a universal one by facts about its calls."""
    term = term_of(hypothesis.expression)
    if not isinstance(term, Quantifier):
        return "(by first | decide | omega | simp | decide +kernel)"
    pairs = {
        (f"{render(call.args[0])}", f"({render(call.args[1])})")
        for call in subterms(term)
        if isinstance(call, Call)
        and call.function.rsplit(".", 1)[-1] in {"gcd", "lcm"}
        and len(call.args) == 2
        and isinstance(call.args[0], Var)
    }
    facts = "; ".join(
        f"have g{i} := Nat.gcd_mul_lcm {x} {y}" for i, (x, y) in enumerate(sorted(pairs))
    )
    used = "rename_i hq; rw [hq.1, hq.2] at g0; omega" if pairs else "simp_all; omega"
    closing = first(["omega", f"({used})", "(simp_all; done)", "(simp_all; omega)", "grind"])
    return f"(by intro {term.name}; intros; {facts + '; ' if facts else ''}{closing})"


def _counterexample(reading: Reading) -> dict[str, int] | None:
    """Numbers that satisfy every hypothesis and not the target; none where none is seen.

    A variable that an equation gives is computed, the others are enumerated. Hypotheses that
    quantify are tried on small numbers only, after all others.
    """
    if reading.target is None or reading.opening:
        return None
    given = _given(reading)
    names = [name for name in reading.sorts if name not in given]
    pools = [_pool(reading.sorts[name], len(names)) for name in names]
    terms = [fact.term for fact in reading.facts]
    checks: list[Term] = [t for t in terms if not isinstance(t, Quantifier)]
    checks.append(Op("¬", (reading.target,)))
    quantified = [t for t in terms if isinstance(t, Quantifier)]
    try:
        for values in islice(product(*pools), MAX_TRIED):
            chosen = dict(zip(names, values, strict=True))
            if not _compute(given, chosen, reading.sorts):
                continue
            if all(truth(term, chosen, reading.sorts) for term in checks) and all(
                _seems_true(term, chosen, reading.sorts) for term in quantified
            ):
                return chosen
    except UnknownValueError:
        return None
    return None


def _given(reading: Reading) -> dict[str, tuple[Term, int]]:
    """Variables that one equation gives by the others: `e = x + c` as `e` and `c`."""
    found: dict[str, tuple[Term, int]] = {}
    for fact in reading.facts:
        if found or not isinstance(fact.term, Op) or fact.term.symbol != "=":
            continue
        for one, other in (fact.term.args, fact.term.args[::-1]):
            shift = _shift(one)
            if shift is not None and shift[0] in reading.sorts:
                known = variables(other) - {c.function for c in subterms(other) if _is_call(c)}
                if shift[0] not in known and known and known <= set(reading.sorts):
                    found = {shift[0]: (other, shift[1])}
    return found


def _is_call(term: Term) -> TypeGuard[Call]:
    return isinstance(term, Call)


def _shift(term: Term) -> tuple[str, int] | None:
    if isinstance(term, Var):
        return term.name, 0
    if isinstance(term, Op) and term.symbol == "+":
        left, right = term.args
        if isinstance(left, Var) and isinstance(right, Num):
            return left.name, right.value
    return None


def _compute(
    given: Mapping[str, tuple[Term, int]], chosen: dict[str, int], sorts: Mapping[str, str]
) -> bool:
    """Adds the computed variables; whether they are numbers of their sort."""
    for name, (term, shift) in given.items():
        chosen[name] = number(term, chosen, sorts) - shift
        if sorts[name] == "Nat" and chosen[name] < 0:
            return False
    return True


def _seems_true(term: Quantifier, values: Mapping[str, int], sorts: Mapping[str, str]) -> bool:
    """Whether a universal hypothesis holds for the small naturals."""
    if term.kind != "∀" or term.type != "Nat":
        raise UnknownValueError("quantifier")
    reach = 2 * max([*values.values(), 8]) + 1
    return all(truth(term.body, {**values, term.name: n}, sorts) for n in range(reach))


def _pool(sort: str, count: int) -> list[int]:
    most = {0: 0, 1: 4_000, 2: 120, 3: 24, 4: 10}.get(count, 5)
    if sort == "Nat":
        return list(range(most + 1))
    return [0, *(n for k in range(1, most // 2 + 1) for n in (k, -k))]
