"""Which stage comes next and which scripts it tries: pure functions of the case."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ragsolver_agents.formalizer.portfolio.families import FAMILIES
from ragsolver_agents.formalizer.portfolio.lemma_use import HINT
from ragsolver_agents.formalizer.portfolio.negation import negation
from ragsolver_agents.formalizer.portfolio.refute import Refute
from ragsolver_agents.formalizer.portfolio.schedule import Expected, Schedule, best_first, worth
from ragsolver_agents.formalizer.portfolio.script import Asked, Family, Script
from ragsolver_agents.formalizer.portfolio.shape import shape
from ragsolver_agents.formalizer.portfolio.sketch import OPEN
from ragsolver_agents.formalizer.portfolio.spending import affordable
from ragsolver_agents.formalizer.portfolio.suggestions import answers
from ragsolver_agents.lemmas import Lemma, retrieved_lemmas
from ragsolver_agents.planner.queries import identifiers
from ragsolver_contracts.case import Case
from ragsolver_contracts.lean import HoleView
from ragsolver_contracts.run_config import Experience, PortfolioStage
from ragsolver_runtime.errors import PermanentError

MAX_SCRIPTS = 40
"""Candidates of one stage at most."""

DANGEROUS = 3
"""Cost of families that may end the process."""

Tried = tuple[str, str, bool, int]
"""Preamble, proof, whether for the negation, heartbeats."""
Planned = tuple[Script, Expected]


class UnknownFamilyError(PermanentError):
    """The run's configuration names a family that does not exist."""


@dataclass(frozen=True)
class Choice:
    """A stage with the scripts that it has not tried yet, in order, and what they promise."""

    stage: PortfolioStage
    planned: tuple[Planned, ...]
    reason: str = ""
    """Why this stage, in one sentence."""

    @property
    def scripts(self) -> tuple[Script, ...]:
        """The scripts alone."""
        return tuple(script for script, _ in self.planned)


def next_choice(case: Case) -> Choice | None:
    """The stage to try now; none: all is tried, or the time is used up.

    Listed order: the first one that has scripts not tried before. Learned order: the one that
    promises most proofs per second of Lean. New evidence and Lean's answers to probes give stages
    new scripts, so one may come again.
    """
    if case.statement is None or case.statement.view is None:
        return None
    asked, tried = _asked(case), _tried(case)
    best: Choice | None = None
    most = -1.0
    for stage in case.config.portfolio.stages:
        if not affordable(case, negated=stage.negated):
            continue
        choice = _choice(case, stage, asked, tried)
        if choice is None:
            continue
        if case.config.portfolio.order == "listed" or _is_given(choice):
            return choice
        value = worth(expected for _, expected in choice.planned)
        if value > most:
            best, most = choice, value
    return best


def stage_scripts(case: Case, attempt: int) -> Choice | None:
    """What the sketch of an attempt stands for: its stage's scripts, seen before the attempt.

    Candidates of the attempt itself do not count as tried, so that a second delivery in the
    middle proposes the same ones.
    """
    sketch = case.sketches[attempt]
    stage = next((s for s in case.config.portfolio.stages if s.name == sketch.stage), None)
    if stage is None or case.statement is None or case.statement.view is None:
        return None
    return _choice(case, stage, _asked(case, attempt), _tried(case, attempt))


def uses_lemmas(stage: PortfolioStage) -> bool:
    """Whether retrieval can give the stage new scripts."""
    return any(_family(stage, name).uses_lemmas for name in stage.families)


def is_dangerous(script: Script) -> bool:
    """Whether a script may run to its limits or end its process."""
    family = FAMILIES.get(script.strategy.partition("/")[0])
    return family is not None and family.cost >= DANGEROUS


def _is_given(choice: Choice) -> bool:
    """Whether the asker's own idea is tried: nothing that was learned speaks against it."""
    return any(script.strategy.startswith("sketch/") for script in choice.scripts)


def _choice(
    case: Case, stage: PortfolioStage, asked: Asked, tried: frozenset[Tried]
) -> Choice | None:
    portfolio = case.config.portfolio
    schedule = _schedule(portfolio.experience, shape(asked.reading))
    planned = [
        (script, schedule.expected(script, FAMILIES[name].cost))
        for name, script in _proposed(stage, asked)
    ]
    if portfolio.order == "learned":
        planned = list(best_first(planned))
    left = tuple(
        item
        for item in planned[:MAX_SCRIPTS]
        if (item[0].preamble, item[0].proof, stage.negated, stage.max_heartbeats) not in tried
    )
    if not left:
        return None
    return Choice(stage, left, _reason(portfolio.order == "learned", shape(asked.reading), left))


def _reason(learned: bool, of_shape: str, planned: tuple[Planned, ...]) -> str:
    if not learned:
        return "It is the next one in the configuration's order."
    value = worth(expected for _, expected in planned)
    return f"Of all stages it promises most on statements like {of_shape}: {value:.3g} proofs/s."


@lru_cache(maxsize=64)
def _schedule(experience: tuple[Experience, ...], of_shape: str) -> Schedule:
    return Schedule(experience, of_shape)


def _family(stage: PortfolioStage, name: str) -> Family:
    family = FAMILIES.get(name)
    if family is None:
        known = ", ".join(FAMILIES)
        raise UnknownFamilyError(
            f"portfolio.stages[{stage.name}].families: {name!r} is not a family; known: {known}"
        )
    return family


def _asked(case: Case, before: int | None = None) -> Asked:
    statement = case.statement
    assert statement is not None  # noqa: S101 - the callers looked
    assert statement.view is not None  # noqa: S101
    return Asked(
        view=statement.view,
        lemmas=(*_named(case), *retrieved_lemmas(case)),
        answers=answers(case, before),
        mathlib=statement.mathlib,
        sketch=case.problem.sketch if case.problem is not None else "",
        holes=_holes(case, before),
    )


def _holes(case: Case, before: int | None) -> tuple[HoleView, ...]:
    """The holes of the given sketch, once Lean has told them."""
    for (attempt, number), issued in case.verdicts.items():
        candidate = case.candidates.get((attempt, number))
        earlier = before is None or attempt < before
        if earlier and candidate is not None and candidate.strategy == OPEN:
            return issued.verdict.holes
    return ()


def _proposed(stage: PortfolioStage, asked: Asked) -> Iterator[tuple[str, Script]]:
    """The scripts of a stage's families with their families, each text once."""
    seen = set[tuple[str, str]]()
    for name in stage.families:
        family = _family(stage, name)
        negates = stage.negated and not isinstance(family, Refute)
        question = _negated(asked) if negates else asked
        for script in _scripts(name, question):
            if (script.preamble, script.proof) not in seen:
                seen.add((script.preamble, script.proof))
                yield name, script


@lru_cache(maxsize=256)
def _scripts(name: str, asked: Asked) -> tuple[Script, ...]:
    """A family's scripts; remembered, for the same question comes with every event."""
    return tuple(FAMILIES[name].scripts(asked))


@lru_cache(maxsize=64)
def _negated(asked: Asked) -> Asked:
    return Asked(negation(asked.view), asked.lemmas, mathlib=asked.mathlib)


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
