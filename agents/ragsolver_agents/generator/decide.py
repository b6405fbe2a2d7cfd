"""The generator's decision: a sketch for the next attempt, naming a portfolio stage."""

from ragsolver_agents.attempts import started_attempt
from ragsolver_agents.formalizer.portfolio.select import Choice, next_choice
from ragsolver_agents.lemmas import Lemma, retrieved_lemmas
from ragsolver_agents.planner.decide import SUBGOAL
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import ProofSketched
from ragsolver_contracts.plan import Hole

MAX_SHOWN = 12
"""Lemmas written into a sketch."""


def decide(case: Case, trigger: AnyEvent) -> list[ProofSketched]:
    """The next attempt's sketch, once everything that it waits for is there."""
    attempt = started_attempt(case, trigger)
    if attempt is None or case.statement is None or case.statement.view is None:
        return []
    choice = next_choice(case)
    if choice is None:
        return []
    lemmas = retrieved_lemmas(case)
    cited = {citation for script in choice.scripts for citation in script.citations}
    offered = tuple(item.citation_id for item in lemmas if item.citation_id in cited)
    hole = Hole(hole_id="h1", subgoal_id=SUBGOAL, statement=case.statement.view.type)
    return [
        ProofSketched(
            attempt=attempt,
            plan=case.plan_number,
            text=_text(choice, [item for item in lemmas if item.citation_id in cited]),
            holes=(hole,),
            used_citations=offered,
            offered_citations=offered,
            stage=choice.stage.name,
            reason=choice.reason,
            negated=choice.stage.negated,
        )
    ]


def _text(choice: Choice, lemmas: list[Lemma]) -> str:
    goal = "the negation of the statement" if choice.stage.negated else "the statement"
    families = ", ".join(choice.stage.families)
    count = len(choice.scripts)
    lines = [f"h1: prove {goal} by {families} ({count} script{'s' if count != 1 else ''})."]
    if lemmas:
        lines.append("Lemmas:")
        lines += [f"[{item.citation_id}] {item.line}" for item in lemmas[:MAX_SHOWN]]
    return "\n".join(lines)
