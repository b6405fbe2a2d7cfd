"""The formalizer's decision: a sketch becomes Lean candidates, in batches."""

from ragsolver_agents.formalizer.portfolio.select import Choice, is_dangerous, stage_scripts
from ragsolver_agents.formalizer.portfolio.spending import left_s
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import CandidateProposed, ProofSketched
from ragsolver_runtime.errors import PermanentError

LEAST_S = 1.0
"""Seconds that a check gets at least, however little of the budget is left."""


class EmptySketchError(PermanentError):
    """The sketch names a stage for which there is nothing to propose."""


def decide(case: Case, trigger: AnyEvent) -> list[CandidateProposed]:
    """All candidates of the sketch's stage; the last one of each batch closes it."""
    sketch = trigger.data
    if not isinstance(sketch, ProofSketched):
        return []
    choice = stage_scripts(case, sketch.attempt)
    if choice is None:
        raise EmptySketchError(
            f"attempt {sketch.attempt}: stage {sketch.stage!r} has nothing to propose under the "
            f"run configuration {case.config.name!r}; the sketch was made under another one"
        )
    batches = _batches(choice, case.config.portfolio.batch_size)
    left = left_s(case, before=sketch.attempt)
    return [
        _candidate(choice, number, batches, sketch.attempt, left)
        for number in range(len(choice.planned))
    ]


def _batches(choice: Choice, size: int) -> list[int]:
    """Batch of each candidate; a dangerous one is alone in its own."""
    numbers: list[int] = []
    batch, used = 0, 0
    for script in choice.scripts:
        alone = is_dangerous(script)
        if used and (alone or used >= size):
            batch, used = batch + 1, 0
        numbers.append(batch)
        used = size if alone else used + 1
    return numbers


def _candidate(
    choice: Choice, number: int, batches: list[int], attempt: int, left: float | None
) -> CandidateProposed:
    script, expected = choice.planned[number]
    stage = choice.stage
    last = number == len(batches) - 1
    timeout_s = stage.timeout_s if left is None else min(stage.timeout_s, max(left, LEAST_S))
    return CandidateProposed(
        attempt=attempt,
        candidate=number,
        batch=batches[number],
        closes_batch=last or batches[number + 1] != batches[number],
        closes_attempt=last,
        text=CandidateText(preamble=script.preamble, proof=script.proof),
        strategy=script.strategy,
        negated=stage.negated,
        citations=script.citations,
        probe=script.probe,
        alone=is_dangerous(script),
        expected_ms=round(expected.ms, 1),
        expected_success=round(expected.success, 4),
        limits=CheckLimits(max_heartbeats=stage.max_heartbeats, timeout_s=timeout_s),
    )
