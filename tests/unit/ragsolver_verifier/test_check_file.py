import pytest

from ragsolver_contracts.candidate import CheckLimits
from ragsolver_contracts.verdict import Verdict
from ragsolver_verifier import check_file as module
from ragsolver_verifier.check_file import NoQuestionError, check_file
from suites.scripted_lean import HEADER, MESSAGE, ScriptedSession, honest

TEXT = "import Std\ntheorem foo (n : Nat) : n + 0 = n := by simp\n"
ITEM = {
    "name": "foo",
    "statement": "theorem foo (n : Nat) : n + 0 = n",
    "pos": {"line": 2, "column": 0},
    "endPos": {"line": 2, "column": 44},
}
LIMITS = CheckLimits()


@pytest.fixture
def lean(monkeypatch):
    """Installs a scripted session; the test may change what it answers."""
    outline = {"header": HEADER, "messages": [], "forbidden": [], "theorems": [ITEM]}
    state = {}

    def answer(request):
        if request["op"] == "outline":
            return {**outline, **state.get("outline", {})}
        if request["op"] == "state" and "state" in state:
            return state["state"]
        return honest(request)

    state["session"] = ScriptedSession(answer)
    monkeypatch.setattr(module, "installed_program", lambda: None)
    monkeypatch.setattr(module, "start_session", lambda *_: state["session"])
    return state


def test_every_theorem_is_judged_and_the_process_ended(lean):
    verdicts = check_file(TEXT, statement=None, name=None, limits=LIMITS)
    assert isinstance(verdicts["foo"], Verdict)
    assert verdicts["foo"].header == "import Std"
    assert lean["session"].closed


def test_a_file_is_one_candidate_for_a_given_statement(lean):
    statement = "theorem foo (n : Nat) : n + 0 = n"
    verdicts = check_file(TEXT, statement=statement, name=None, limits=LIMITS)
    assert list(verdicts) == [statement]
    source = lean["session"].asked[-1]["candidates"][0]["source"]
    assert source.splitlines() == [" " * len("import Std"), TEXT.splitlines()[1]]


def test_a_theorem_that_is_not_there(lean):
    with pytest.raises(NoQuestionError, match="it has foo"):
        check_file(TEXT, statement=None, name="bar", limits=LIMITS)


def test_a_file_that_lean_did_not_read(lean):
    found = [{"what": "command", "name": "x", "pos": None}]
    lean["outline"] = {"theorems": [], "forbidden": found}
    with pytest.raises(NoQuestionError, match="forbidden command x"):
        check_file(TEXT, statement=None, name=None, limits=LIMITS)


def test_a_statement_that_does_not_elaborate(lean):
    lean["state"] = {"header": HEADER, "ok": False, "problem": "error", "messages": [MESSAGE]}
    verdicts = check_file(TEXT, statement=None, name=None, limits=LIMITS)
    assert "unsolved goals" in verdicts["foo"]
    with pytest.raises(NoQuestionError):
        check_file(TEXT, statement="theorem foo : 1", name=None, limits=LIMITS)
