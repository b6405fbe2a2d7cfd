"""The one visible list of families, in the order in which a stage tries them."""

from collections.abc import Mapping
from types import MappingProxyType

from ragsolver_agents.formalizer.portfolio.close import Close
from ragsolver_agents.formalizer.portfolio.cofactor import Cofactor
from ragsolver_agents.formalizer.portfolio.cycles import Cycles
from ragsolver_agents.formalizer.portfolio.definitions import Definitions
from ragsolver_agents.formalizer.portfolio.divisor_split import DivisorSplit
from ragsolver_agents.formalizer.portfolio.gcd import Gcd
from ragsolver_agents.formalizer.portfolio.induction import Induction
from ragsolver_agents.formalizer.portfolio.instantiate import Instantiate
from ragsolver_agents.formalizer.portfolio.lemma_use import Hinted, Lemmas
from ragsolver_agents.formalizer.portfolio.library import Answers, Library
from ragsolver_agents.formalizer.portfolio.mathlib_cases import MathlibCases
from ragsolver_agents.formalizer.portfolio.mathlib_close import MathlibClose
from ragsolver_agents.formalizer.portfolio.mathlib_order import MathlibOrder
from ragsolver_agents.formalizer.portfolio.mathlib_ring import MathlibRing
from ragsolver_agents.formalizer.portfolio.modular import Modular
from ragsolver_agents.formalizer.portfolio.recurrence import Recurrence
from ragsolver_agents.formalizer.portfolio.refute import Refute
from ragsolver_agents.formalizer.portfolio.residues import Residues
from ragsolver_agents.formalizer.portfolio.script import Family
from ragsolver_agents.formalizer.portfolio.search import Search
from ragsolver_agents.formalizer.portfolio.sketch import Sketch
from ragsolver_agents.formalizer.portfolio.witness import Witness

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            Sketch(),
            Close(),
            Definitions(),
            MathlibClose(),
            MathlibRing(),
            MathlibOrder(),
            MathlibCases(),
            Modular(),
            Hinted(),
            Lemmas(),
            Gcd(),
            Witness(),
            Cofactor(),
            Cycles(),
            Residues(),
            DivisorSplit(),
            Instantiate(),
            Recurrence(),
            Induction(),
            Library(),
            Answers(),
            Refute(),
            Search(),
        )
    }
)
"""Family by name, cheapest first; a configuration names the ones of each stage."""
