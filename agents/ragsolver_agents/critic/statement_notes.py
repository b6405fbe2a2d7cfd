"""What a reader of a report has to know of the statement."""

import re

from ragsolver_contracts.case import Case
from ragsolver_contracts.events_statement import StatementJudged
from ragsolver_contracts.events_work import VerdictIssued

_FROM_CONTRADICTION = re.compile(
    r"(?:by\s+)?(?:intros?\b[^\n;]*[\n;]\s*)?"
    r"(?:exfalso|contradiction|nomatch|nofun|(?:exact\s+)?(?:absurd|False\.elim))\b"
)

NOT_JUDGED = "It was not judged: the configuration's engines.critic asks no model."
MACHINE_WRITTEN = (
    "A language model wrote the statement. Lean checks the proof, not whether the statement says "
    "what the words say."
)
VACUOUS = (
    "The proof may rest on a contradiction between the hypotheses: if they cannot hold together, "
    "the statement says nothing."
)


def machine_written(case: Case) -> bool:
    """Whether a model wrote the statement, be it one that was worked on or not."""
    return bool(case.proposed)


def statement_notes(case: Case, accepted: VerdictIssued | None) -> tuple[str, ...]:
    """Notes for the report.

    Args:
        case: the fold.
        accepted: the accepted verdict, where there is one.
    """
    notes: list[str] = []
    if machine_written(case):
        notes += [MACHINE_WRITTEN, *_judgement(case)]
    if accepted is not None and machine_written(case) and looks_vacuous(case, accepted):
        notes.append(VACUOUS)
    return tuple(notes)


def looks_vacuous(case: Case, accepted: VerdictIssued) -> bool:
    """Whether a proof under hypotheses begins by giving the target up: a hint, no proof."""
    view = case.statement.view if case.statement is not None else None
    if view is None or accepted.verdict.negated or not any(b.is_prop for b in view.binders):
        return False
    candidate = case.candidates.get((accepted.attempt, accepted.candidate))
    return candidate is not None and bool(_FROM_CONTRADICTION.match(candidate.text.proof.strip()))


def _judgement(case: Case) -> list[str]:
    number = case.statement.statement if case.statement is not None else 0
    judged = [item for item in case.payloads(StatementJudged) if item.statement == number]
    return [
        item.reason
        if item.reason == NOT_JUDGED
        else f"A model judged it faithful, which is an opinion: {item.reason}"
        for item in judged
    ]
