"""Judging one Lean file as it is: every theorem for its own statement, or one for a given one.

A check lives longer than a Lean process: what is judged stays judged, and another process goes on
with what is open.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.lean import Diagnostic, Position
from ragsolver_contracts.verdict import Tier, Verdict, VerdictStatus
from ragsolver_verifier.assemble import Candidate
from ragsolver_verifier.audit import Auditor
from ragsolver_verifier.check import Question, check
from ragsolver_verifier.errors import LeanFailureError, LimitExceededError
from ragsolver_verifier.file_errors import Mended, mend
from ragsolver_verifier.finding import Finding, Result
from ragsolver_verifier.header import imports_mathlib, split_imports
from ragsolver_verifier.lean_sources import Source
from ragsolver_verifier.outline import Outline, Theorem, outline
from ragsolver_verifier.session import LeanSession
from ragsolver_verifier.statement import Statement, elaborate

_TRIES = 2
"""A theorem in whose check the process died is tried once more, in another process."""
_DECLARATIONS = frozenset(
    {"definition", "abbrev", "example", "instance", "inductive", "structure", "classInductive"}
    | {"axiom", "opaque"}
)

Report = Callable[[Finding], None]


@dataclass(frozen=True)
class Asked:
    """What is asked of every file; times in seconds.

    Attributes:
        statement: what the file as a whole must prove; None for every theorem by itself.
        name: only this theorem; None for all.
        limits: for each theorem.
        memory_mb: resident MiB of the Lean process.
        reading_s: for reading the file, which elaborates all of it once.
        tier: what has to stand behind an accepted theorem.
    """

    statement: str | None = None
    name: str | None = None
    limits: CheckLimits = field(default_factory=CheckLimits)
    memory_mb: int | None = None
    reading_s: float = 300.0
    tier: Tier = "checked"


@dataclass
class _Item:
    """One theorem that is to be judged."""

    name: str
    at: Position | None
    header: str
    statement: str
    text: str
    tries: int = 0


class FileCheck:
    """The check of one file, in one Lean process after the other."""

    def __init__(self, source: Source, asked: Asked) -> None:
        self.not_judged: Counter[str] = Counter()
        """Declarations of other kinds, by kind; known once the file is read."""
        self.auditor: Auditor | None = None
        """For the tiers above `checked`; without one they are failures."""
        self._source = source
        self._asked = asked
        self._open: list[_Item] = []
        self._headers = ""
        self._tries = 0
        self._is_read = False

    @property
    def done(self) -> bool:
        """Whether everything is reported."""
        return self._is_read and not self._open

    def work(self, session: LeanSession, report: Report) -> None:
        """Judge what is open, until all is done or the process is no more; blocks.

        Args:
            session: a Lean process of its own for this call.
            report: told every finding, in the order of the file.
        """
        try:
            self._prepare(session, report)
        except LimitExceededError as error:
            self._end(report, Result.UNCHECKED, f"the file could not be read: {error}")
        except LeanFailureError as error:
            self._tries += 1
            if self._tries >= _TRIES:
                self._end(report, Result.FAILED, f"Lean failed to read the file: {error}")
        else:
            while self._open and session.alive:
                self._next(session, report)

    def give_up(self, report: Report, why: str) -> None:
        """Report all that is open as failed: no Lean process can be had."""
        self._end(report, Result.FAILED, why)

    def _end(self, report: Report, result: Result, why: str) -> None:
        """The same finding for all that is open; for the file where nothing is known of it."""
        if not self._is_read:
            report(self._finding(None, result, why))
        for item in self._open:
            report(self._finding(item, result, why))
        self._is_read, self._open = True, []

    def _prepare(self, session: LeanSession, report: Report) -> None:
        if self._is_read:
            if len(self._open) > 1:  # read again, so that the headers of the rest are there
                outline(session, self._headers, timeout_s=self._asked.reading_s)
            return
        if not self._source.text.strip():
            self._end(report, Result.SKIPPED, "the file is empty")
        elif self._asked.statement is not None:
            self._open = [_whole(self._source.text, self._asked.statement)]
        else:
            self._read(session, report)
        self._is_read = True

    def _read(self, session: LeanSession, report: Report) -> None:
        text, asked = self._source.text, self._asked
        read = outline(session, text, timeout_s=asked.reading_s)
        mended = mend(text, read)
        headers = read
        if mended.text != text:
            again = outline(session, mended.text, timeout_s=asked.reading_s)
            if [t.name for t in again.theorems] == [t.name for t in read.theorems]:
                headers = again
        self._headers = mended.text if headers is not read else text
        self._open = [
            _Item(t.name, t.at, before.header, t.statement, _text(text, t, mended))
            for t, before in zip(read.theorems, headers.theorems, strict=True)
            if asked.name in {None, t.name}
        ]
        self.not_judged = Counter(c.kind for c in read.commands if c.kind in _DECLARATIONS)
        for finding in self._about_the_file(read, mended, session):
            report(finding)

    def _about_the_file(
        self, read: Outline, mended: Mended, session: LeanSession
    ) -> list[Finding]:
        """What no verdict will say."""
        found = []
        for error in mended.outside:
            said = _first_line(error.text)
            if not read.header_ok:
                said = _no_import(said, self._source.text, session)
            found.append(self._finding(None, Result.UNCHECKED, said, error.start))
        if read.forbidden:
            said = f"forbidden {read.forbidden[0]}: Lean read no further, nothing after it counts"
            found.append(self._finding(None, Result.UNCHECKED, said, read.forbidden_at))
        if not self._open and not found:
            is_wanted = self._asked.name is not None and read.theorems
            found.append(self._named_other(read) if is_wanted else self._nothing())
        return found

    def _named_other(self, read: Outline) -> Finding:
        names = ", ".join(theorem.name for theorem in read.theorems)
        said = f"the file has no theorem {self._asked.name!r}; it has {names}"
        return self._finding(None, Result.UNREAD, said)

    def _nothing(self) -> Finding:
        others = ", ".join(f"{n} {kind}" for kind, n in sorted(self.not_judged.items()))
        said = f"the file has no theorem; it has {others or 'no declaration'}"
        return self._finding(None, Result.SKIPPED, said)

    def _next(self, session: LeanSession, report: Report) -> None:
        item = self._open[0]
        try:
            finding = self._judge(session, item)
        except LeanFailureError as error:
            item.tries += 1
            if item.tries < _TRIES:
                session.close()  # what it answers cannot be trusted any more
                return
            finding = self._finding(item, Result.FAILED, f"{error} (twice, in fresh processes)")
        self._open.pop(0)
        report(finding)

    def _judge(self, session: LeanSession, item: _Item) -> Finding:
        limits = self._asked.limits
        try:
            statement = elaborate(session, item.header, item.statement, timeout_s=limits.timeout_s)
        except LimitExceededError as error:
            said = f"the statement was not elaborated: {error}"
            return self._finding(item, Result.UNCHECKED, said)
        if not statement.ok:
            return self._finding(item, Result.UNCHECKED, _why_not(statement))
        candidate = Candidate(whole=item.text)
        question = Question(statement)
        verdict = check(session, question, candidate, limits, self._asked.memory_mb)
        verdict = self._raised(verdict, question, candidate)
        finding = self._finding(item, Result(verdict.status.value), verdict.detail)
        return finding.model_copy(update={"verdict": verdict})

    def _raised(self, verdict: Verdict, question: Question, candidate: Candidate) -> Verdict:
        """An accepted verdict at the tier that is asked for.

        Raises:
            LeanFailureError: it is not confirmed.
        """
        tier = self._asked.tier
        if tier == "checked" or verdict.status is not VerdictStatus.ACCEPTED:
            return verdict
        if self.auditor is None:
            raise LeanFailureError(f"the tier {tier!r} was asked for, and nothing here audits")
        limits = self._asked.limits
        return self.auditor.raised_here(tier, verdict, question, candidate, limits)

    def _finding(
        self, item: _Item | None, result: Result, detail: str, at: Position | None = None
    ) -> Finding:
        place = item.at if item is not None else at
        return Finding(
            file=self._source.name,
            name=item.name if item is not None else "",
            line=place.line if place else None,
            column=place.column if place else None,
            result=result,
            detail=detail,
        )


def _whole(text: str, statement: str) -> _Item:
    """The file as one candidate for a statement given apart, under the file's imports."""
    imports, rest = split_imports(text)
    words = statement.split()
    return _Item(words[1] if len(words) > 1 else statement, None, imports, statement, rest)


def _text(text: str, theorem: Theorem, mended: Mended) -> str:
    """A theorem's own text; all of it where Lean's parser stopped inside."""
    stop = mended.candidates.get(theorem.start)
    return theorem.text if stop is None else theorem.text + text[theorem.stop : stop].rstrip()


def _why_not(statement: Statement) -> str:
    said: Diagnostic | None = statement.diagnostics[0] if statement.diagnostics else None
    if statement.problem == "header" and said is not None:
        return f"it stands after an error in line {said.start.line}: {_first_line(said.text)}"
    return f"the statement does not elaborate: {statement.detail}"


def _no_import(said: str, text: str, session: LeanSession) -> str:
    toolchain = f"the {session.toolchain.kind} toolchain"
    if imports_mathlib(text) and not session.toolchain.mathlib:
        return f"the file imports Mathlib, which {toolchain} does not have"
    return f"an import cannot be read by {toolchain}: {said}"


def _first_line(text: str) -> str:
    return " ".join(text.split())[:300]
