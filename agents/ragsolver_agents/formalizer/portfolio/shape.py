"""The coarse shape of a statement, under which experience is kept: nothing of one problem."""

from ragsolver_agents.formalizer.portfolio.reading import Reading
from ragsolver_agents.formalizer.portfolio.terms import Op, Quantifier

_ORDER = {"<": "≤", ">": "≤", "≥": "≤"}
NAMING_FAMILIES = frozenset({"answers", "hinted", "lemmas", "mathlib_cases"})
_TOGETHER = frozenset({"lemmas/simp", "lemmas/grind"})


def shape(reading: Reading) -> str:
    """Sorts of the variables and head of the target, for example `Nat/∣`.

    The sorts are `none`, `Nat`, `Int`, `numbers` (both) or `other`.
    """
    if reading.functions:
        sorts = "other"
    else:
        found = sorted(set(reading.sorts.values()))
        sorts = "none" if not found else found[0] if len(found) == 1 else "numbers"
    return f"{sorts}/{_head(reading)}"


def strategy_key(strategy: str) -> str:
    """A script's strategy without the name of the lemma or variable that it is about."""
    family, slash, _ = strategy.partition("/")
    if slash and family in NAMING_FAMILIES and strategy not in _TOGETHER:
        return f"{family}/*"
    return strategy


def _head(reading: Reading) -> str:
    target = reading.target
    if isinstance(target, Op):
        return _ORDER.get(target.symbol, target.symbol)
    if isinstance(target, Quantifier):
        return target.kind
    return "other"
