"""The statements of a problem: as it was asked, and as machines wrote it, with what is doubted."""

from collections.abc import Sequence

from ragsolver_contracts.base import Model
from ragsolver_contracts.case import Case
from ragsolver_contracts.events_statement import StatementJudged
from ragsolver_contracts.lean import Diagnostic


class Statement(Model):
    """One statement; 0 is the asker's own."""

    number: int
    text: str = ""
    header: str = ""
    written_by_machine: bool = False
    notes: str = ""
    """How the words were read."""
    checked: bool = False
    statable: bool = False
    reason: str = ""
    detail: str = ""
    elaborated: str = ""
    compatibility: bool = False
    mathlib: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    faithful: bool | None = None
    """What the critic says; none where it was not asked."""
    judgement: str = ""
    issues: Sequence[str] = ()
    chosen: bool = False
    """Whether it is the one that is worked on."""


def statements_of(case: Case) -> tuple[Statement, ...]:
    """Every statement by number."""
    if case.problem is None:
        return ()
    numbers = sorted({0, *case.proposed, *case.statements})
    judged = {item.statement: item for item in case.payloads(StatementJudged)}
    chosen = case.statement.statement if case.statement is not None else 0
    return tuple(
        _statement(case, number, judged.get(number), chosen=number == chosen)
        for number in numbers
        if number or case.problem.formal_statement or case.statements.get(0)
    )


def _statement(
    case: Case, number: int, judged: StatementJudged | None, *, chosen: bool
) -> Statement:
    stated, checked = case.stated_as(number), case.statements.get(number)
    written = case.proposed.get(number)
    return Statement(
        number=number,
        text=(stated.formal_statement or "") if stated else "",
        header=checked.header if checked else (stated.header if stated else ""),
        written_by_machine=written is not None,
        notes=written.notes if written else "",
        checked=checked is not None,
        statable=checked.statable if checked else False,
        reason=checked.reason.value if checked and checked.reason else "",
        detail=checked.detail if checked else "",
        elaborated=checked.view.type if checked and checked.view else "",
        compatibility=checked.compatibility if checked else False,
        mathlib=checked.mathlib if checked else False,
        diagnostics=checked.diagnostics if checked and not checked.statable else (),
        faithful=judged.faithful if judged else None,
        judgement=judged.reason if judged else "",
        issues=judged.issues if judged else (),
        chosen=chosen,
    )
