"""What the critic asks a model."""

from ragsolver_agents.critic.answers import CritiqueAnswer, FidelityAnswer
from ragsolver_agents.critic.report import attempt_verdicts
from ragsolver_agents.llm import shown
from ragsolver_agents.llm.fences import clip, one_line
from ragsolver_agents.llm.prompts import Plain, prompt_file, render
from ragsolver_contracts.case import Case
from ragsolver_runtime.llm.port import Question

_PACKAGE = "ragsolver_agents.critic"
_PROOF = 3_000
_ADVICE = 1_000


def critique_question(case: Case, attempt: int) -> Question[CritiqueAnswer]:
    """What a model is asked of a failed attempt."""
    sketch = case.sketches[attempt]
    lemmas = shown.lemma_lines(case)
    offered = [line for key, line in lemmas.items() if key in sketch.offered_citations]
    critiques = [
        f"Attempt {n} ({item.error_class.value}): {one_line(item.advice, _ADVICE)}"
        for n, item in case.critiques.items()
        if n < attempt and n in case.sketches and case.sketches[n].engine == "llm"
    ]
    prompt = render(
        prompt_file(_PACKAGE, "critique"),
        {
            "toolchain": shown.toolchain(case),
            "words": shown.words(case),
            "statement": shown.statement(case),
            "lemmas": shown.listed(offered),
            "attempt": Plain(str(attempt)),
            "sketch": sketch.text or shown.NONE,
            "candidates": "\n\n".join(_candidates(case, attempt)) or shown.NONE,
            "unknown": shown.listed(_unknown(case, attempt)),
            "critiques": shown.listed(critiques),
        },
    )
    return Question("critic", "critique", prompt, CritiqueAnswer)


def fidelity_question(case: Case, statement: int) -> Question[FidelityAnswer]:
    """What a model is asked of a machine-written statement.

    It sees the words and what Lean read; not the writer's notes, which could persuade it.
    """
    written, checked = case.stated_as(statement), case.statements[statement]
    view = checked.view
    binders = [f"{item.name} : {item.type}" for item in view.binders] if view else []
    text = (written.formal_statement or "") if written is not None else ""
    prompt = render(
        prompt_file(_PACKAGE, "fidelity"),
        {
            "toolchain": shown.toolchain(case),
            "words": shown.words(case),
            "written": f"{checked.header.strip()}\n{text.strip()}".strip() or shown.NONE,
            "binders": shown.listed(binders),
            "target": view.target if view else shown.NONE,
        },
    )
    return Question("critic", "fidelity", prompt, FidelityAnswer)


def _candidates(case: Case, attempt: int) -> list[str]:
    told = []
    for issued in attempt_verdicts(case, attempt):
        candidate = case.candidates[(attempt, issued.candidate)]
        proof = "\n".join(filter(None, [candidate.text.preamble, candidate.text.proof]))
        lines = [f"Candidate {issued.candidate}:", clip(proof, _PROOF)]
        told.append("\n".join([*lines, *shown.messages(issued.verdict)]))
    return told


def _unknown(case: Case, attempt: int) -> list[str]:
    names = (
        item.name
        for issued in attempt_verdicts(case, attempt)
        for item in issued.verdict.unknown_identifiers
    )
    return list(dict.fromkeys(one_line(name) for name in names))
