"""The formalizer with a model: sketches become candidates, words become a statement.

What a model writes goes into the texts of candidates and nowhere else; limits are the run's, and
what its text may not contain is the checker's to say.
"""

import asyncio
from collections.abc import Iterable, Sequence

from ragsolver_agents.formalizer import decide as portfolio
from ragsolver_agents.formalizer.answers import AnsweredCandidate, CandidatesAnswer
from ragsolver_agents.formalizer.assemble import assembled
from ragsolver_agents.formalizer.portfolio.spending import left_s
from ragsolver_agents.formalizer.statements import asked_statement, write_statement
from ragsolver_agents.generator.model import kept_citations
from ragsolver_agents.llm import shown
from ragsolver_agents.llm.prompts import Plain, prompt_file, render
from ragsolver_contracts.candidate import CandidateText, CheckLimits
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import HoleClosed
from ragsolver_contracts.events_work import AttemptAbandoned, CandidateProposed, ProofSketched
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_runtime.llm.port import LlmPort, NoAnswer, Question

SKELETON = "llm/skeleton"


async def decide(case: Case, trigger: AnyEvent, llm: LlmPort) -> Sequence[Payload]:
    """Candidates for a sketch, or a statement for words."""
    match trigger.data:
        case ProofSketched(engine="portfolio"):
            return await asyncio.to_thread(portfolio.decide, case, trigger)
        case HoleClosed() as closed:
            return assembled(case, closed, lambda: limits(case, closed.attempt))
        case ProofSketched() as sketch:
            return await _candidates(case, trigger, sketch, llm)
        case _:
            number = asked_statement(case, trigger)
            return [] if number is None else await write_statement(case, trigger, number, llm)


async def _candidates(
    case: Case, trigger: AnyEvent, sketch: ProofSketched, llm: LlmPort
) -> Sequence[Payload]:
    if case.outcome is not None:
        return []
    if sketch.holes and sketch.proof:
        return [skeleton(case, sketch)]
    said = await llm.ask(case, trigger, question(case, sketch))
    if isinstance(said, NoAnswer):
        return [_abandoned(sketch, said.outcome, said.message)]
    proposed = candidates(case, sketch, said.value)
    if not proposed:
        message = f"every candidate of attempt {sketch.attempt} was tried before"
        return [_abandoned(sketch, LlmOutcome.INVALID, message)]
    return proposed


def question(case: Case, sketch: ProofSketched) -> Question[CandidatesAnswer]:
    """What the model is asked for candidates."""
    prompt = render(
        prompt_file("ragsolver_agents.formalizer", "candidates"),
        {
            "toolchain": shown.toolchain(case),
            "words": shown.words(case),
            "statement": shown.statement(case),
            "lemmas": shown.listed(shown.lemma_lines(case).values()),
            "history": _before(case, sketch.attempt),
            "sketch": sketch.text,
            "attempt": Plain(str(sketch.attempt)),
            "count": Plain(str(case.config.llm.candidates)),
        },
    )
    return Question("formalizer", "candidates", prompt, CandidatesAnswer)


def skeleton(case: Case, sketch: ProofSketched) -> CandidateProposed:
    """The generator's own proof with holes: Lean says whether it holds but for them."""
    return CandidateProposed(
        attempt=sketch.attempt,
        candidate=0,
        batch=0,
        closes_batch=True,
        closes_attempt=False,
        text=CandidateText(proof=sketch.proof),
        strategy=SKELETON,
        citations=sketch.used_citations,
        skeleton=True,
        limits=limits(case, sketch.attempt),
        engine="llm",
    )


def candidates(
    case: Case, sketch: ProofSketched, answer: CandidatesAnswer
) -> list[CandidateProposed]:
    """What the model wrote and no earlier attempt tried, as one batch.

    Those of this attempt do not count: a delivery that comes again proposes the same.
    """
    earlier = [item for item in case.candidates.values() if item.attempt != sketch.attempt]
    tried = {_key(item.text, item.negated) for item in earlier}
    kept: list[tuple[CandidateText, AnsweredCandidate]] = []
    for item in answer.candidates:
        text = CandidateText(preamble=plain(item.preamble), proof=plain(item.proof))
        key = _key(text, item.negated)
        if text.proof and key not in tried and len(kept) < case.config.llm.candidates:
            tried.add(key)
            kept.append((text, item))
    offered = sketch.offered_citations
    return [
        CandidateProposed(
            attempt=sketch.attempt,
            candidate=number,
            batch=0,
            closes_batch=number == len(kept) - 1,
            closes_attempt=number == len(kept) - 1,
            text=text,
            strategy=f"llm/{number + 1}",
            negated=item.negated,
            citations=_cited(item.used_citations, offered, sketch),
            limits=limits(case, sketch.attempt),
            engine="llm",
        )
        for number, (text, item) in enumerate(kept)
    ]


def limits(case: Case, attempt: int) -> CheckLimits:
    """What the run grants a candidate of a model."""
    config = case.config.llm
    left = left_s(case, before=attempt)
    least = portfolio.LEAST_S
    timeout_s = config.timeout_s if left is None else min(config.timeout_s, max(left, least))
    return CheckLimits(max_heartbeats=config.max_heartbeats, timeout_s=timeout_s)


def plain(text: str) -> str:
    """Lean text without the code fence and the `:=` that models like to put around it."""
    text = text.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].rstrip().removesuffix("```").strip()
    return text.removeprefix(":=").strip()


def _cited(used: Iterable[str], offered: Iterable[str], sketch: ProofSketched) -> tuple[str, ...]:
    return kept_citations(used, offered) or sketch.used_citations


def _key(text: CandidateText, negated: bool) -> tuple[str, str, bool]:
    return text.preamble.strip(), text.proof.strip(), negated


def _before(case: Case, attempt: int) -> str:
    """The history without the attempt that is being made."""
    earlier = {
        key: event
        for key, event in case.events.items()
        if getattr(event.data, "attempt", 0) != attempt
    }
    return shown.history(Case.fold(case.run_id, case.problem_id, earlier.values(), case.config))


def _abandoned(
    sketch: ProofSketched, outcome: LlmOutcome | None, message: str
) -> AttemptAbandoned:
    return AttemptAbandoned(
        agent="formalizer",
        plan=sketch.plan,
        attempt=sketch.attempt,
        outcome=outcome,
        message=message,
    )
