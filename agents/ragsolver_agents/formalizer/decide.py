"""The formalizer's decision: a sketch becomes Lean candidates, in batches."""

from ragsolver_agents.engines import require_portfolio
from ragsolver_agents.formalizer.portfolio.script import Script
from ragsolver_agents.formalizer.portfolio.select import stage_scripts
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched
from ragsolver_contracts.run_config import PortfolioStage
from ragsolver_runtime.errors import PermanentError


class EmptySketchError(PermanentError):
    """The sketch names a stage for which there is nothing to propose."""


def decide(case: Case, trigger: AnyEvent) -> list[CandidateProposed]:
    """All candidates of the sketch's stage; the last one of each batch closes it."""
    sketch = trigger.data
    if not isinstance(sketch, ProofSketched):
        return []
    require_portfolio(case, "formalizer")
    choice = stage_scripts(case, sketch.attempt)
    if choice is None:
        raise EmptySketchError(
            f"attempt {sketch.attempt}: stage {sketch.stage!r} has nothing to propose under the "
            f"run configuration {case.config.name!r}; the sketch was made under another one"
        )
    size = case.config.portfolio.batch_size
    scripts = choice.scripts
    return [
        _candidate(script, number, len(scripts), size, sketch.attempt, choice.stage)
        for number, script in enumerate(scripts)
    ]


def _candidate(
    script: Script, number: int, count: int, size: int, attempt: int, stage: PortfolioStage
) -> CandidateProposed:
    last = number == count - 1
    return CandidateProposed(
        attempt=attempt,
        candidate=number,
        batch=number // size,
        closes_batch=last or (number + 1) % size == 0,
        closes_attempt=last,
        text=CandidateText(preamble=script.preamble, proof=script.proof),
        strategy=script.strategy,
        negated=stage.negated,
        citations=script.citations,
        limits=CheckLimits(max_heartbeats=stage.max_heartbeats, timeout_s=stage.timeout_s),
    )
