"""Judging Lean files as they are: every theorem for its own statement, or one for a given one."""

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.header import split_imports
from ragsolver_verifier.outline import Outline, outline
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.settings import VerifierSettings
from ragsolver_verifier.statement import elaborate
from ragsolver_verifier.toolchains import installed_program, start_session


class NoQuestionError(Exception):
    """The file holds nothing that can be checked, or the statement does not elaborate."""


def check_file(
    text: str, *, statement: str | None, name: str | None, limits: CheckLimits
) -> dict[str, Verdict | str]:
    """Verdicts on a file by theorem, or why there is none, from a Lean process of their own.

    Args:
        text: the whole file.
        statement: what the file as a whole must prove; None for every theorem by itself.
        name: only this theorem of the file; None for all.
        limits: for each theorem.

    Raises:
        NoQuestionError: there is nothing to check.
        LeanFailureError: Lean could not do it.
        LimitExceededError: reading the file took too long or too much memory.
        ToolchainError: no toolchain is installed; says what to run.
    """
    session = start_session(installed_program(), VerifierSettings())
    try:
        if statement is not None:
            return {statement: whole_file(session, text, statement, limits)}
        return each_theorem(session, text, name, limits)
    finally:
        session.close()


def whole_file(session: LeanSession, text: str, statement: str, limits: CheckLimits) -> Verdict:
    """The verdict on a file as one candidate for a statement given apart.

    Raises:
        NoQuestionError: the statement does not elaborate.
    """
    imports, rest = split_imports(text)
    return _judge(session, imports, statement, Candidate(whole=rest), limits)


def each_theorem(
    session: LeanSession, text: str, name: str | None, limits: CheckLimits
) -> dict[str, Verdict | str]:
    """Verdicts on a file's theorems, each for its own statement after the text before it.

    A theorem that stands after something that Lean does not accept has no verdict, but a
    sentence that says so.

    Raises:
        NoQuestionError: there is no such theorem.
    """
    read = outline(session, text, timeout_s=limits.timeout_s)
    chosen = [t for t in read.theorems if name is None or t.name == name]
    if not chosen:
        raise NoQuestionError(_nothing(read, name))
    judged: dict[str, Verdict | str] = {}
    for item in chosen:
        candidate = Candidate(whole=item.text)
        try:
            judged[item.name] = _judge(session, item.header, item.statement, candidate, limits)
        except NoQuestionError as error:
            judged[item.name] = str(error)
    return judged


def _judge(
    session: LeanSession, header: str, text: str, candidate: Candidate, limits: CheckLimits
) -> Verdict:
    statement = elaborate(session, header, text, timeout_s=limits.timeout_s)
    if not statement.ok:
        raise NoQuestionError(f"the statement does not elaborate: {statement.detail}")
    return check(session, Question(statement), candidate, limits)


def _nothing(read: Outline, name: str | None) -> str:
    if read.forbidden:
        return f"Lean read no further than the forbidden {read.forbidden[0]}"
    if name is not None and read.theorems:
        names = ", ".join(theorem.name for theorem in read.theorems)
        return f"the file has no theorem {name!r}; it has {names}"
    return "the file has no theorem"
