"""Remainders: simplification with the laws of `%`."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragsolver_agents.formalizer.portfolio.reading import explosive, has_modulus
from ragsolver_agents.formalizer.portfolio.script import Asked, Script, by

NATURAL = "Nat.pow_mod, Nat.mul_mod, Nat.add_mod, Nat.mod_mod"
INTEGER = "Int.pow_succ, Int.mul_emod, Int.add_emod, Int.sub_emod, Int.emod_emod_of_dvd"


@dataclass(frozen=True)
class Modular:
    """`simp` with the laws of `Nat.mod` and `Int.emod`, then `omega` where goals are left."""

    name: str = "modular"
    cost: int = 1
    uses_lemmas: bool = False

    def scripts(self, asked: Asked) -> Iterator[Script]:
        """Scripts for statements with remainders or divisibility."""
        reading = asked.reading
        if not has_modulus(reading) or explosive(reading):
            return
        opening = list(reading.opening)
        integer = "Int" in reading.sorts.values()
        laws = INTEGER if integer else NATURAL
        yield Script("modular", by([*opening, f"simp [{laws}, *]", "try omega"]))
