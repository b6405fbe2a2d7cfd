"""Child problems: the holes of a sketch that holds become problems, and their ends its end.

A child is a problem like any other (ADR 0012). What the critic adds is here: which sketch is
split, how the calls that are left are shared, and what an unsolved hole means for the attempt.
"""

from collections.abc import Sequence

from ragsolver_agents.attempts import ATTEMPT_CALLS, latest_attempt
from ragsolver_agents.calls import calls_left
from ragsolver_agents.critic.routes import choose, standing_of
from ragsolver_agents.engines import AskingDecide
from ragsolver_agents.holes import declaration_of, stated
from ragsolver_contracts.case import Case
from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_family import ChildProblem, HoleClosed, ProblemDecomposed
from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.events_work import AttemptCritiqued, CandidateProposed, VerdictIssued
from ragsolver_contracts.ids import digest
from ragsolver_contracts.lean import HoleView
from ragsolver_contracts.plan import Hole
from ragsolver_contracts.problem import Parent, Problem
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.verdict import Verdict, VerdictReason
from ragsolver_runtime.about import About, Decided
from ragsolver_runtime.kinship import PARENT_ENDED
from ragsolver_runtime.llm.port import LlmPort

_FIRST_CALLS = 1 + ATTEMPT_CALLS
"""Calls of a child up to its first candidates: its plan and an attempt."""
_SHOWN = 600
"""Characters of a statement or a message in an advice."""


def with_children(decide: AskingDecide) -> AskingDecide:
    """A critic's decision, with what child problems add to it."""

    async def run(case: Case, trigger: AnyEvent, llm: LlmPort) -> Decided:
        attempt = split(case, trigger)
        if attempt is not None:
            return await decompose(case, trigger, attempt, llm)
        return [with_objection(case, item) for item in await decide(case, trigger, llm)]

    return run


def skeleton(case: Case, attempt: int) -> CandidateProposed | None:
    """The attempt's sketch with holes, as a candidate."""
    return next((item for item in case.attempt_candidates(attempt) if item.skeleton), None)


def split(case: Case, trigger: AnyEvent) -> int | None:
    """The attempt whose holes the trigger makes problems; none where it makes none.

    Asked again it says the same, whatever became of the holes: what a process that died left
    unsaid has still to be said.
    """
    match trigger.data:
        case VerdictIssued(attempt=attempt, candidate=candidate):
            sketched = skeleton(case, attempt)
            own = sketched is not None and sketched.candidate == candidate
            open_still = case.outcome is None and attempt == latest_attempt(case)
            return attempt if own and open_still and not objection(case, attempt) else None
        case _:
            return None


def left_open(case: Case, attempt: int) -> bool:
    """Whether all that was tried is a sketch with holes, which was judged and not decomposed.

    No other candidate follows such a sketch, so its attempt is over though nothing closes it.
    """
    tried = case.attempt_candidates(attempt)
    judged = all(item.skeleton and case.judged((attempt, item.candidate)) for item in tried)
    return bool(tried) and judged and attempt not in case.decompositions


def objection(case: Case, attempt: int) -> str:
    """Why the holes of a skeleton do not become problems; empty where they do."""
    sketched = skeleton(case, attempt)
    if sketched is None:
        return "The sketch has no holes."
    issued = case.verdicts.get((attempt, sketched.candidate))
    if issued is None:
        return "The sketch could not be checked."
    verdict, planned = issued.verdict, case.sketches[attempt].holes
    if not _holds(verdict):
        return "The sketch itself does not hold, whatever proves its holes."
    if len(verdict.holes) != len(planned):
        return f"The sketch names {len(planned)} holes, Lean finds {len(verdict.holes)}."
    if len(planned) > case.config.llm.width:
        return f"The sketch has {len(planned)} holes, {case.config.llm.width} may be there."
    if _depth(case) >= case.config.llm.depth:
        return f"Holes may become problems {case.config.llm.depth} levels deep: prove it directly."
    if any(_is_whole(case, hole) for hole in verdict.holes):
        return "A hole of the sketch is the whole problem again."
    return ""


def with_objection(case: Case, item: Payload | About) -> Payload | About:
    """A critique says why the holes of a sketch that holds did not become problems."""
    if not isinstance(item, AttemptCritiqued) or item.route is Route.EXHAUSTED:
        return item
    sketched = skeleton(case, item.attempt)
    if sketched is None or not left_open(case, item.attempt):
        return item
    issued = case.verdicts.get((item.attempt, sketched.candidate))
    if issued is None or not _holds(issued.verdict):
        return item
    advice = f"{objection(case, item.attempt)} {item.advice}".strip()
    return item.model_copy(update={"advice": advice})


async def decompose(case: Case, trigger: AnyEvent, attempt: int, llm: LlmPort) -> Decided:
    """The decomposition and every child, with its share of the calls.

    They share evenly what is left beyond another attempt of the parent's own, up to
    `llm.child_calls` each.
    """
    sketched = skeleton(case, attempt)
    assert sketched is not None  # noqa: S101 - the caller looked
    views = case.verdicts[(attempt, sketched.candidate)].verdict.holes
    left = calls_left(case, trigger) - ATTEMPT_CALLS
    children: list[Problem] = []
    for hole, view in zip(case.sketches[attempt].holes, views, strict=True):
        share = fair_share(left, len(views) - len(children), case.config.llm.child_calls)
        child_id = f"{case.problem_id}.a{attempt}.{hole.hole_id}"
        granted = await llm.grant(case, trigger, child_id, share)
        left -= granted
        children.append(_child(case, attempt, hole, view, child_id, granted))
    return [
        ProblemDecomposed(attempt=attempt, children=tuple(map(_listed, children))),
        *(ProblemSubmitted(problem=child) for child in children),
    ]


def fair_share(left: int, holes: int, most: int) -> int:
    """Calls of one hole, where `left` are there for it and those after it, `holes` in all.

    Where an even share is less than a plan and an attempt take, the first ones get that, and the
    others what is left of it; less than an attempt takes is of no use to a child, and stays.
    """
    share = min(most, left, max(left // holes, _FIRST_CALLS))
    return share if share >= ATTEMPT_CALLS else 0


def lost(closed: HoleClosed) -> bool:
    """Whether a hole stays open for good."""
    return closed.outcome is not Outcome.SOLVED or closed.text is None


def hole_critique(case: Case, closed: HoleClosed, trigger: AnyEvent) -> AttemptCritiqued:
    """The critique of an attempt that has lost a hole."""
    route, why = choose(standing_of(case, closed.attempt, calls_left(case, trigger)))
    failure = closed.outcome is Outcome.INFRASTRUCTURE
    return AttemptCritiqued(
        attempt=closed.attempt,
        error_class=ErrorClass.INFRASTRUCTURE if failure else ErrorClass.UNSOLVED_GOALS,
        route=route,
        advice=f"{_of_hole(case, closed)} {why}",
    )


def called_off(case: Case, attempt: int) -> list[Payload | About]:
    """The ends of the attempt's other children.

    What they were granted counts as used: a call of theirs may be on its way.
    """
    decomposed = case.decompositions.get(attempt)
    said: list[Payload | About] = []
    for child in decomposed.children if decomposed is not None else ():
        if (attempt, child.hole_id) not in case.closed_holes:
            why = "another hole of the sketch stays open"
            said.append(_closed(attempt, child, why))
            end = ProblemCancelled(requested_by=PARENT_ENDED, reason=why)
            said.append(About(child.problem_id, end))
    return said


def _closed(attempt: int, child: ChildProblem, why: str) -> HoleClosed:
    return HoleClosed(
        attempt=attempt,
        hole_id=child.hole_id,
        child_id=child.problem_id,
        outcome=Outcome.CANCELLED,
        message=why,
        llm_calls=child.llm_calls,
    )


def _child(
    case: Case, attempt: int, hole: Hole, view: HoleView, child_id: str, granted: int
) -> Problem:
    problem, posed, checked = case.problem, case.stated, case.statement
    assert problem is not None and posed is not None  # noqa: S101, PT018 - it has an attempt
    assert checked is not None  # noqa: S101
    name = declaration_of(posed.declaration or posed.name, attempt, hole.hole_id)
    levels = checked.view.level_params if checked.view is not None else ()
    theorem = stated(view, name, levels=levels, header=posed.header)
    above = problem.parent.ancestors if problem.parent is not None else ()
    steps = (item.statement for item in case.sketches[attempt].holes if item.statement)
    return Problem(
        problem_id=child_id,
        name=child_id,
        formal_statement=theorem.statement,
        declaration=name,
        informal_statement=hole.statement or None,
        header=posed.header,
        split=problem.split,
        source=problem.source,
        hints=tuple(steps),
        parent=Parent(
            problem_id=case.problem_id,
            attempt=attempt,
            hole_id=hole.hole_id,
            ancestors=(*above, case.problem_id),
            llm_calls=granted,
        ),
        input_digest=digest(child_id, posed.header, theorem.statement),
    )


def _listed(child: Problem) -> ChildProblem:
    assert child.parent is not None  # noqa: S101 - it was made with one
    return ChildProblem(
        hole_id=child.parent.hole_id,
        problem_id=child.problem_id,
        formal_statement=child.formal_statement or "",
        declaration=child.declaration or "",
        llm_calls=child.parent.llm_calls,
    )


def _of_hole(case: Case, closed: HoleClosed) -> str:
    decomposed = case.decompositions.get(closed.attempt)
    children: Sequence[ChildProblem] = decomposed.children if decomposed is not None else ()
    texts = [c.formal_statement for c in children if c.hole_id == closed.hole_id]
    which = f"Hole {closed.hole_id} (`{' '.join(texts)[:_SHOWN]}`)"
    if closed.outcome is Outcome.STATEMENT_FALSE:
        return f"{which} is false: its negation is proved. Sketch it without this claim."
    said = closed.message[:_SHOWN].strip().rstrip(".")
    return f"{which} stays open: {said or closed.outcome.value}."


def _holds(verdict: Verdict) -> bool:
    """Whether nothing but `sorry` speaks against it."""
    errors = any(item.severity == "error" for item in verdict.diagnostics)
    return verdict.reason is VerdictReason.CONTAINS_SORRY and not errors


def _depth(case: Case) -> int:
    parent = case.problem.parent if case.problem is not None else None
    return parent.depth if parent is not None else 0


def _is_whole(case: Case, hole: HoleView) -> bool:
    """Whether a hole has the goal and the hypotheses of the statement itself."""
    view = case.statement.view if case.statement is not None else None
    if view is None:
        return False
    goal = [*(binder.type for binder in hole.view.binders), hole.view.target]
    return goal == [*(binder.type for binder in view.binders), view.target]
