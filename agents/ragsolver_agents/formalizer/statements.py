"""A Lean statement for a problem in words: written by a model, checked by Lean, judged after."""

import re
from collections.abc import Sequence

from ragsolver_agents.formalizer.answers import StatementAnswer
from ragsolver_agents.llm import shown
from ragsolver_agents.llm.fences import one_line
from ragsolver_agents.llm.prompts import Plain, prompt_file, render
from ragsolver_contracts.case import Case
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events import AnyEvent
from ragsolver_contracts.events_statement import (
    StatementChecked,
    StatementJudged,
    StatementProposed,
)
from ragsolver_contracts.events_work import AttemptAbandoned
from ragsolver_contracts.llm import LlmOutcome
from ragsolver_contracts.problem import RefusalReason
from ragsolver_runtime.formal_text import (
    as_theorem,
    open_definition,
    without_comments,
    without_proof,
)
from ragsolver_runtime.lean_files import commands, mask
from ragsolver_runtime.llm.port import LlmPort, NoAnswer, Question

_NAMES = r"[A-Za-z_][\w'.]*(?:[ \t]+[A-Za-z_][\w'.]*)*"
_HEADER_LINE = re.compile(
    rf"import[ \t]+(?:Mathlib|Std|Init)[\w.]*|open[ \t]+(?:scoped[ \t]+)?{_NAMES}"
)
_THEOREM = re.compile(r"\s*theorem\s+([^\s:({\[⦃]+)")
_FOR_ONE = re.compile(r"\bin$")


def asked_statement(case: Case, trigger: AnyEvent) -> int | None:
    """Number of the statement that the trigger asks for; none where it asks for none."""
    problem = case.problem
    if problem is None or problem.formal_statement or case.config.engines.formalizer != "llm":
        return None
    match trigger.data:
        case StatementChecked(statement=0, statable=False, reason=RefusalReason.NEEDS_LLM):
            number = 1
        case StatementChecked(statement=earlier, statable=False) if earlier:
            number = earlier + 1
        case StatementJudged(faithful=False, statement=earlier):
            number = earlier + 1
        case _:
            return None
    open_still = case.outcome is None and number not in case.proposed
    return number if open_still and number <= case.config.llm.statements else None


async def write_statement(
    case: Case, trigger: AnyEvent, number: int, llm: LlmPort
) -> Sequence[Payload]:
    """The statement, or that there is none."""
    said = await llm.ask(case, trigger, question(case, number))
    if isinstance(said, NoAnswer):
        return [_abandoned(number, said.outcome, said.message)]
    written = proposed(case, number, said.value)
    if isinstance(written, str):
        return [_abandoned(number, LlmOutcome.INVALID, written)]
    return [written]


def question(case: Case, number: int) -> Question[StatementAnswer]:
    """What the model is asked for a statement."""
    prompt = render(
        prompt_file("ragsolver_agents.formalizer", "statement"),
        {
            "toolchain": shown.toolchain(case),
            "name": Plain(theorem_name(case.problem_id)),
            "words": shown.words(case),
            "history": _history(case),
            "number": Plain(str(number)),
        },
    )
    return Question("formalizer", "statement", prompt, StatementAnswer)


def proposed(case: Case, number: int, answer: StatementAnswer) -> StatementProposed | str:
    """The statement as the run takes it, or what is wrong with it."""
    name = theorem_name(case.problem_id)
    clean = without_comments(answer.formal_statement)
    blocks = [clean[start:end] for start, end in commands(mask(clean))] or [clean]
    # The theorem alone: without what stands before it Lean says what it misses.
    text = without_proof(as_theorem(blocks[-1].strip())).strip()
    if open_definition("", text) is not None:
        return "the statement that the model wrote leaves a term open"
    found = _THEOREM.match(text)
    if found is None:
        return "the model wrote no theorem"
    text = f"theorem {name}{text[found.end() :]}"
    header, left_out = plain_header(answer.header)
    notes = one_line(answer.notes, 2_000)
    if left_out:
        notes = f"{notes} Left out of its header: {left_out} lines.".strip()
    return StatementProposed(
        statement=number, formal_statement=text, declaration=name, header=header, notes=notes
    )


def plain_header(header: str) -> tuple[str, int]:
    """Lines of `import` and `open`, and how many others there were.

    Options, definitions, axioms and notation could change what the statement means.
    """
    lines = [line.strip() for line in without_comments(header).split("\n") if line.strip()]
    kept = [line for line in lines if _HEADER_LINE.fullmatch(line) and not _FOR_ONE.search(line)]
    return "\n".join(sorted(kept, key=lambda line: line.startswith("open"))), len(lines) - len(
        kept
    )


def theorem_name(problem_id: str) -> str:
    """A Lean name made from the id of a problem."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", problem_id).strip("_")
    return name if name[:1].isalpha() else f"p_{name}"


def _history(case: Case) -> str:
    told = []
    judged = {item.statement: item for item in case.payloads(StatementJudged)}
    for number, written in case.proposed.items():
        lines = [f"Statement {number}.", written.header, written.formal_statement]
        checked = case.statements.get(number)
        if checked is not None and not checked.statable:
            errors = [item.text for item in checked.diagnostics if item.severity == "error"][:3]
            lines += [f"Lean: {one_line(said)}" for said in errors or [checked.detail]]
        if number in judged:
            lines += [one_line(f"Judge: {judged[number].reason}")]
            lines += [f"- {one_line(issue)}" for issue in judged[number].issues]
        told.append("\n".join(filter(None, lines)))
    return "\n\n".join(told) or shown.NONE


def _abandoned(number: int, outcome: LlmOutcome | None, message: str) -> AttemptAbandoned:
    return AttemptAbandoned(agent="formalizer", statement=number, outcome=outcome, message=message)
