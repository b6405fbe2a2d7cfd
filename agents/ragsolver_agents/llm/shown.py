"""What prompts show of a problem: lemmas, passages, what was tried. All of it is fenced later."""

from collections.abc import Iterable, Sequence

from ragsolver_agents.lemmas import retrieved_lemmas
from ragsolver_agents.llm.fences import clip, one_line
from ragsolver_contracts.case import Case
from ragsolver_contracts.retrieval import Hit
from ragsolver_contracts.verdict import Verdict

MOST_LEMMAS = 24
MOST_PASSAGES = 8
MOST_ATTEMPTS = 4
"""Earlier attempts of the model that are shown, the newest."""
_LINE = 600
_MESSAGE = 500
_PROOF = 1_500
NONE = "(none)"


def lemma_lines(case: Case) -> dict[str, str]:
    """Retrieved lemmas by citation, each in one line: `[M1] name : signature — … (module)`."""
    found = retrieved_lemmas(case)[:MOST_LEMMAS]
    return {
        item.citation_id: f"[{item.citation_id}] {one_line(item.line, _LINE)}" for item in found
    }


def passage_lines(case: Case) -> dict[str, str]:
    """Informal passages by citation: `[I1] statement — key idea — source`."""
    found: dict[str, str] = {}
    for item in case.evidence.values():
        for hit in item.result.hits:
            if hit.corpus == "informal" and len(found) < MOST_PASSAGES:
                found.setdefault(hit.citation.citation_id, _passage(hit))
    return found


def _passage(hit: Hit) -> str:
    statement = hit.metadata.get("statement") or hit.content_md or hit.text
    idea = hit.metadata.get("key_idea") or hit.metadata.get("proof_idea") or ""
    source = hit.metadata.get("source") or hit.citation.label
    parts = [one_line(str(part), _LINE) for part in (statement, idea, source) if part]
    return f"[{hit.citation.citation_id}] {' — '.join(parts)}"


def listed(lines: Iterable[str]) -> str:
    """Lines, or a word that there are none."""
    return "\n".join(lines) or NONE


def words(case: Case) -> str:
    """The problem in words, with its hints."""
    problem = case.problem
    if problem is None:
        return NONE
    hints = [f"Hint: {one_line(hint)}" for hint in problem.hints]
    return "\n".join(filter(None, [problem.informal_statement or "", *hints])) or NONE


def statement(case: Case) -> str:
    """The statement that is worked on as it is written, and as Lean elaborated it."""
    stated, checked = case.stated, case.statement
    if stated is None or checked is None or checked.view is None:
        return NONE
    view = checked.view
    lines = [checked.header.strip(), (stated.formal_statement or "").strip(), ""]
    lines += ["As Lean reads it:"]
    lines += [f"{binder.name} : {binder.type}" for binder in view.binders]
    return "\n".join([*lines, f"⊢ {view.target}"]).strip()


def toolchain(case: Case) -> str:
    """What this Lean has, in one line."""
    checked = case.statement or case.statements.get(0)
    tool = checked.toolchain if checked is not None else None
    version = f"Lean {tool.lean_version}" if tool is not None else "Lean 4"
    if checked is not None and checked.mathlib:
        return f"{version} with Mathlib."
    return (
        f"{version} without Mathlib: only core Lean, Init and Std. There is no ring, linarith, "
        "nlinarith, norm_num, positivity, field_simp, polyrith, aesop, use, obtain on ℝ; there "
        "are omega, decide, simp, simp_all, grind, exact, apply, refine, intro, cases, rcases, "
        "obtain, induction, rw, calc, have, show, constructor, exists, bv_decide."
    )


def plan(case: Case) -> str:
    """Subgoals of the latest plan."""
    planned = case.plans.get(case.plan_number)
    if planned is None:
        return NONE
    return listed(
        one_line(f"{goal.subgoal_id}: {goal.statement_nl} {goal.formal_hint}".strip(), _LINE)
        for goal in planned.subgoals
    )


def history(case: Case) -> str:
    """What the model tried before and what Lean and the critic said of it, oldest first."""
    numbers = [n for n, sketch in case.sketches.items() if sketch.engine == "llm"]
    return "\n\n".join(_attempt(case, n) for n in sorted(numbers)[-MOST_ATTEMPTS:]) or NONE


def _attempt(case: Case, number: int) -> str:
    lines = [f"Attempt {number}.", clip(case.sketches[number].text, _PROOF)]
    for candidate in case.attempt_candidates(number):
        judged = case.verdicts.get((number, candidate.candidate))
        if judged is not None:
            lines += [f"Candidate {candidate.candidate}:", clip(candidate.text.proof, _PROOF)]
            lines += messages(judged.verdict)
    critique = case.critiques.get(number)
    if critique is not None:
        lines.append(
            f"Critique ({critique.error_class.value}): {one_line(critique.advice, 1_000)}"
        )
    return "\n".join(lines)


def messages(verdict: Verdict) -> Sequence[str]:
    """What Lean said of a candidate, in short."""
    errors = [item for item in verdict.diagnostics if item.severity == "error"][:3]
    said = [
        f"Lean ({item.part} {item.start.line}:{item.start.column}): "
        f"{one_line(item.text, _MESSAGE)}"
        for item in errors
    ]
    goals = [f"Goal left: {one_line(goal, _MESSAGE)}" for goal in verdict.goals[:2]]
    return said + goals or [f"Lean: {one_line(verdict.detail, _MESSAGE) or verdict.status.value}"]
