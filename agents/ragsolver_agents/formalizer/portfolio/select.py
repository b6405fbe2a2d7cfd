"""Which stage comes next and which scripts it tries: pure functions of the case."""

from dataclasses import dataclass
from functools import lru_cache

from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_agents.formalizer.portfolio.lemma_use import HINT
from ragsolver_agents.formalizer.portfolio.negation import negation
from ragsolver_agents.formalizer.portfolio.refute import Refute
from ragsolver_agents.formalizer.portfolio.script import Family, Script
from ragsolver_agents.lemmas import Lemma, retrieved_lemmas
from ragsolver_agents.planner.queries import identifiers
from ragsolver_contracts.case import Case
from ragsolver_contracts.lean import StatementView
from ragsolver_contracts.run_config import PortfolioStage
from ragsolver_runtime.errors import PermanentError

MAX_SCRIPTS = 40
"""Candidates of one stage at most."""

Tried = tuple[str, str, bool, int]
"""Preamble, proof, whether for the negation, heartbeats."""


class UnknownFamilyError(PermanentError):
    """The run's configuration names a family that does not exist."""


@dataclass(frozen=True)
class Choice:
    """A stage with the scripts that it has not tried yet."""

    stage: PortfolioStage
    scripts: tuple[Script, ...]


def next_choice(case: Case) -> Choice | None:
    """The first stage, in the configured order, that has scripts not tried before.

    New evidence gives lemma stages new scripts, so a stage may come again; none: all is tried.
    """
    if case.statement is None or case.statement.view is None:
        return None
    lemmas = [*_named(case), *retrieved_lemmas(case)]
    tried = _tried(case)
    for stage in case.config.portfolio.stages:
        scripts = _untried(stage, case.statement.view, lemmas, tried)
        if scripts:
            return Choice(stage, scripts)
    return None


def stage_scripts(case: Case, attempt: int) -> Choice | None:
    """What the sketch of an attempt stands for: its stage's scripts, seen before the attempt.

    Candidates of the attempt itself do not count as tried, so that a second delivery in the
    middle proposes the same ones.
    """
    sketch = case.sketches[attempt]
    stage = next((s for s in case.config.portfolio.stages if s.name == sketch.stage), None)
    if stage is None or case.statement is None or case.statement.view is None:
        return None
    lemmas = [*_named(case), *retrieved_lemmas(case)]
    scripts = _untried(stage, case.statement.view, lemmas, _tried(case, before=attempt))
    return Choice(stage, scripts) if scripts else None


def uses_lemmas(stage: PortfolioStage) -> bool:
    """Whether retrieval can give the stage new scripts."""
    return any(_family(stage, name).uses_lemmas for name in stage.families)


def _family(stage: PortfolioStage, name: str) -> Family:
    family = FAMILIES.get(name)
    if family is None:
        known = ", ".join(FAMILIES)
        raise UnknownFamilyError(
            f"portfolio.stages[{stage.name}].families: {name!r} is not a family; known: {known}"
        )
    return family


@lru_cache(maxsize=256)
def _scripts(name: str, view: StatementView, lemmas: tuple[Lemma, ...]) -> tuple[Script, ...]:
    """A family's scripts; remembered, for the same question comes with every event."""
    return tuple(FAMILIES[name].scripts(view, lemmas))


def _named(case: Case) -> list[Lemma]:
    """Identifiers that the problem itself names, as lemmas to try."""
    problem = case.problem
    names = identifiers(problem) if problem is not None else []
    return [Lemma(citation_id="", name=name, kind=HINT) for name in names]


def _tried(case: Case, before: int | None = None) -> frozenset[Tried]:
    return frozenset(
        (c.text.preamble, c.text.proof, c.negated, c.limits.max_heartbeats)
        for c in case.candidates.values()
        if before is None or c.attempt < before
    )


def _untried(
    stage: PortfolioStage, view: StatementView, lemmas: list[Lemma], tried: frozenset[Tried]
) -> tuple[Script, ...]:
    found: dict[tuple[str, str], Script] = {}
    for name in stage.families:
        family = _family(stage, name)
        negates = stage.negated and not isinstance(family, Refute)
        for script in _scripts(name, negation(view) if negates else view, tuple(lemmas)):
            found.setdefault((script.preamble, script.proof), script)
    wanted = list(found.values())[:MAX_SCRIPTS]
    return tuple(
        script
        for script in wanted
        if (script.preamble, script.proof, stage.negated, stage.max_heartbeats) not in tried
    )
