"""The generator with a model: lemmas, passages and earlier attempts in, a sketch out."""

import asyncio
import re
from collections.abc import Iterable, Sequence

from ragsolver_agents.attempts import next_engine, started_attempt
from ragsolver_agents.generator import decide as portfolio
from ragsolver_agents.generator.answers import SketchAnswer
from ragsolver_agents.llm import shown
from ragsolver_agents.llm.fences import one_line
from ragsolver_agents.llm.prompts import Plain, prompt_file, render
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_work import AttemptAbandoned, AttemptCritiqued, ProofSketched
from ragsolver_contracts.plan import Hole
from ragsolver_runtime.llm.port import LlmPort, NoAnswer, Question

_HOLE = re.compile(r"h[1-9][0-9]{0,2}")
_TEXT = 20_000
_DIRECT = "Write a direct proof: leave proof_with_holes and holes empty."
_MAY_SPLIT = "A sketch with holes may have {width} of them at most."


async def decide(case: Case, trigger: AnyEvent, llm: LlmPort) -> Sequence[Payload]:
    """The next attempt's sketch, by the portfolio or by a model."""
    attempt = started_attempt(case, trigger)
    if attempt is None or case.statement is None or case.statement.view is None:
        return []
    engine = await asyncio.to_thread(next_engine, case, trigger)
    if engine == "portfolio":
        return await asyncio.to_thread(portfolio.decide, case, trigger)
    if case.outcome is not None:
        return []
    if engine is None:
        return _nothing_left(case, trigger, attempt)
    said = await llm.ask(case, trigger, question(case, attempt))
    if isinstance(said, NoAnswer):
        return [
            AttemptAbandoned(
                agent="generator",
                plan=case.plan_number,
                attempt=attempt,
                outcome=said.outcome,
                message=said.message,
            )
        ]
    return [sketch(case, attempt, said.value)]


def _nothing_left(case: Case, trigger: AnyEvent, attempt: int) -> list[Payload]:
    """An attempt that was asked for and cannot be made; after a retrieval the critic says so.

    Tries of a call may take what the critic saw when it asked for the attempt.
    """
    if not isinstance(trigger.data, AttemptCritiqued):
        return []
    message = "No call is left for another attempt."
    return [
        AttemptAbandoned(
            agent="generator",
            plan=case.plan_number,
            attempt=attempt,
            outcome=None,
            message=message,
        )
    ]


def question(case: Case, attempt: int) -> Question[SketchAnswer]:
    """What the model is asked for a sketch."""
    critique = case.critiques.get(attempt - 1)
    width = Plain(_MAY_SPLIT.format(width=case.config.llm.width))
    prompt = render(
        prompt_file("ragsolver_agents.generator", "sketch"),
        {
            "toolchain": shown.toolchain(case),
            "words": shown.words(case),
            "statement": shown.statement(case),
            "plan": shown.plan(case),
            "lemmas": shown.listed(shown.lemma_lines(case).values()),
            "passages": shown.listed(shown.passage_lines(case).values()),
            "history": shown.history(case),
            "advice": critique.advice if critique is not None else shown.NONE,
            "decompose": width if may_decompose(case) else Plain(_DIRECT),
            "attempt": Plain(str(attempt)),
        },
    )
    return Question("generator", "sketch", prompt, SketchAnswer)


def may_decompose(case: Case) -> bool:
    """Whether holes of this problem may become problems of their own."""
    parent = case.problem.parent if case.problem is not None else None
    return (parent.depth if parent is not None else 0) < case.config.llm.depth


def sketch(case: Case, attempt: int, answer: SketchAnswer) -> ProofSketched:
    """The sketch as the run takes it: citations that were offered, holes that hold together."""
    offered = {**shown.lemma_lines(case), **shown.passage_lines(case)}
    holes = _holes(case, answer) if may_decompose(case) else ()
    return ProofSketched(
        attempt=attempt,
        plan=case.plan_number,
        text=answer.text[:_TEXT],
        holes=holes,
        used_citations=kept_citations(answer.used_citations, offered),
        offered_citations=tuple(offered),
        proof=answer.proof_with_holes if holes else "",
        reason="The portfolio has nothing left to try."
        if case.config.llm.portfolio_first
        else "The run asks a model.",
        engine="llm",
    )


def kept_citations(used: Iterable[str], offered: Iterable[str]) -> tuple[str, ...]:
    """Those that were offered, each once; a model's others do not exist."""
    known = set(offered)
    named = (citation.strip().strip("[]") for citation in used)
    return tuple(dict.fromkeys(citation for citation in named if citation in known))


def _holes(case: Case, answer: SketchAnswer) -> tuple[Hole, ...]:
    """None unless there is a `sorry` for each, with names of their own, and not too many."""
    names = [hole.name.strip() for hole in answer.holes]
    count = len(re.findall(r"\bsorry\b", answer.proof_with_holes))
    sound = (
        0 < len(names) <= case.config.llm.width
        and len(set(names)) == len(names) == count
        and all(map(_HOLE.fullmatch, names))
    )
    planned = case.plans[case.plan_number].subgoals
    if not sound:
        return ()
    return tuple(
        Hole(
            hole_id=hole.name.strip(),
            subgoal_id=planned[min(n, len(planned) - 1)].subgoal_id,
            statement=one_line(hole.statement_nl, 2_000),
        )
        for n, hole in enumerate(answer.holes)
    )
