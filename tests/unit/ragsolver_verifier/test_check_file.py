import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import VerdictReason
from ragsolver_verifier.audit import AuditError
from ragsolver_verifier.check_file import Asked, FileCheck
from ragsolver_verifier.errors import LimitExceededError, SessionDiedError
from ragsolver_verifier.finding import Result
from ragsolver_verifier.lean_sources import Source
from suites.scripted_lean import HEADER, MESSAGE, ScriptedSession, honest, outlined

TEXT = "import Std\ntheorem foo (n : Nat) : n + 0 = n := by simp\ntheorem bar : p := by x\n"
OUTLINE = outlined(
    TEXT,
    ("foo", "theorem", "theorem", ":=", "simp"),
    ("bar", "theorem", "theorem", ":=", "x"),
)
DIED = SessionDiedError("gone")


class Lean:
    """Sessions that answer a file's questions; `changes` by kind of request."""

    def __init__(self, text=TEXT, **changes):
        self.text, self.changes = text, changes
        self.sessions = []

    def check(self, **asked):
        """All findings, with a fresh session whenever the one before is dead."""
        found = []
        check = FileCheck(Source("a.lean", self.text), Asked(**asked))
        while not check.done:
            assert len(self.sessions) < 10, "it goes on for ever"
            self.sessions.append(ScriptedSession(self.answer))
            check.work(self.sessions[-1], found.append)
        self.not_judged = check.not_judged
        return found

    def answer(self, request):
        said = self.changes.get(request["op"])
        said = said(request) if callable(said) else said
        if isinstance(said, Exception):
            self.sessions[-1].close()
            raise said
        base = OUTLINE if request["op"] == "outline" else honest(request)
        return {**base, **(said or {})}


def test_every_theorem_is_judged_at_its_place():
    lean = Lean()
    first, second = lean.check()
    assert (first.file, first.name, first.line, first.result) == ("a.lean", "foo", 2, "accepted")
    assert (second.name, second.line) == ("bar", 3)
    assert first.verdict.header == "import Std\n"
    assert len(lean.sessions) == 1


def test_one_theorem_by_name():
    (found,) = Lean().check(name="bar")
    assert found.name == "bar"
    (found,) = Lean().check(name="baz")
    assert found.result is Result.UNREAD
    assert "it has foo, bar" in found.detail


def test_a_file_is_one_candidate_for_a_given_statement():
    lean = Lean()
    (found,) = lean.check(statement="theorem foo (n : Nat) : n + 0 = n", limits=CheckLimits())
    assert (found.name, found.result) == ("foo", Result.ACCEPTED)
    source = lean.sessions[0].asked[-1]["source"]
    assert source.partition("\n")[2] == TEXT.partition("\n")[2]


def test_a_statement_that_does_not_elaborate_has_no_verdict():
    wrong = {"header": HEADER, "ok": False, "problem": "error", "messages": [MESSAGE]}
    first, _ = Lean(state=wrong).check()
    assert (first.result, first.verdict) == (Result.UNCHECKED, None)
    assert "unsolved goals" in first.detail


def test_what_stands_after_an_error_says_where_it_is():
    header = {**HEADER, "ok": False, "messages": [MESSAGE]}
    wrong = {"header": header, "ok": False, "problem": "header"}
    first, _ = Lean(state=wrong).check()
    assert first.detail.startswith("it stands after an error in line 1: unsolved goals")


def test_a_failing_theorem_does_not_stop_the_next_one():
    """The second is judged under a header in which the first one's proof is `sorry`."""
    message = {**MESSAGE, "pos": {"line": 2, "column": 40}}
    mended = TEXT.replace("by simp", "sorry")
    again = outlined(
        mended,
        ("foo", "theorem", "theorem", ":=", "sorry"),
        ("bar", "theorem", "theorem", ":=", "x"),
    )

    def reading(request):
        return {"messages": [message]} if request["source"] == TEXT else again

    lean = Lean(outline=reading)
    lean.check()
    headers = [r["header"] for r in lean.sessions[0].asked if r["op"] == "check"]
    assert headers[1].endswith("n + 0 = n := sorry\n")


def test_what_lean_did_not_read_is_said():
    pos = {"line": 4, "column": 0}
    forbidden = [{"what": "command", "name": "x", "pos": pos}]
    found = Lean(outline={"forbidden": forbidden}).check()
    assert [item.result for item in found] == ["unchecked", "accepted", "accepted"]
    assert (found[0].line, found[0].name) == (4, "")
    assert "forbidden command x" in found[0].detail


@pytest.mark.parametrize(
    ("text", "said"),
    [("import Mathlib\n", "imports Mathlib"), ("import My\n", "unsolved goals")],
)
def test_imports_that_are_not_there(text, said):
    header = {**HEADER, "ok": False, "messages": [MESSAGE]}
    nothing = {"header": header, "theorems": [], "commands": []}
    (found,) = Lean(text, outline=nothing).check()
    assert found.result is Result.UNCHECKED
    assert said in found.detail
    assert "the embedded toolchain" in found.detail


def test_a_file_without_theorems_is_skipped_and_counted():
    pos = {"line": 1, "column": 0}
    commands = [{"kind": "Lean.Parser.Command.example", "pos": pos, "endPos": pos}] * 2
    lean = Lean(outline={"theorems": [], "commands": commands})
    (found,) = lean.check()
    assert (found.result, found.detail) == ("skipped", "the file has no theorem; it has 2 example")
    assert lean.not_judged == {"example": 2}


def test_an_empty_file_is_skipped_without_lean():
    lean = Lean(" \n")
    (found,) = lean.check()
    assert found.detail == "the file is empty"
    assert lean.sessions[0].asked == []


def test_a_death_is_tried_once_more_and_the_rest_goes_on():
    deaths = iter([DIED])
    lean = Lean(check=lambda _: next(deaths, None))
    found = lean.check()
    assert [item.result for item in found] == ["accepted", "accepted"]
    assert len(lean.sessions) == 2


def test_two_deaths_are_a_failure_of_that_theorem_alone():
    deaths = iter([DIED, DIED])
    found = Lean(check=lambda _: next(deaths, None)).check()
    assert [item.result for item in found] == ["failed", "accepted"]
    assert found[0].verdict is None


def test_a_limit_is_inconclusive_and_the_rest_goes_on():
    limits = iter([LimitExceededError(VerdictReason.TIMEOUT, "slow")])
    lean = Lean(check=lambda _: next(limits, None))
    assert [item.result for item in lean.check()] == ["inconclusive", "accepted"]
    assert len(lean.sessions) == 2


def test_a_file_that_cannot_be_read_in_time():
    limit = LimitExceededError(VerdictReason.TIMEOUT, "no answer within 300 s")
    (found,) = Lean(outline=limit).check()
    assert (found.result, found.name) == (Result.UNCHECKED, "")
    assert "no answer within" in found.detail


def test_lean_that_dies_over_a_file_is_a_failure():
    lean = Lean(outline=DIED)
    (found,) = lean.check()
    assert found.result is Result.FAILED
    assert len(lean.sessions) == 2


class Audits:
    def __init__(self, answer=None):
        self.answer, self.asked = answer, 0

    def raised_here(self, tier, verdict, question, candidate, limits):
        self.asked += 1
        if self.answer is not None:
            raise self.answer
        return verdict.model_copy(update={"tier": tier})


def audited(auditor, **asked):
    check = FileCheck(Source("a.lean", TEXT), Asked(**asked))
    check.auditor = auditor
    found, lean = [], Lean()
    while not check.done:
        lean.sessions.append(ScriptedSession(lean.answer))
        check.work(lean.sessions[-1], found.append)
    return found


def test_an_accepted_theorem_is_raised_to_the_tier():
    audits = Audits()
    assert audited(audits, tier="audited", name="foo")[0].verdict.tier == "audited"
    assert audits.asked == 1
    assert audited(audits, name="foo")[0].verdict.tier == "checked"
    assert audits.asked == 1


@pytest.mark.parametrize("auditor", [None, Audits(AuditError("the processes disagree"))])
def test_what_is_not_confirmed_is_a_failure(auditor):
    (found,) = audited(auditor, tier="audited", name="foo")
    assert (found.result, found.verdict) == (Result.FAILED, None)
    assert found.detail.startswith(
        "the processes disagree" if auditor else "the tier 'audited' was asked for"
    )
