import pytest

from ragsolver_verifier.errors import ProtocolError
from ragsolver_verifier.statement import elaborate
from suites.scripted_lean import HEADER, MESSAGE, STATE, ScriptedSession

TEXT = "theorem foo (n : Nat) : n + 0 = n"


def stated(answer, header="", text=TEXT):
    return elaborate(ScriptedSession(lambda _: answer), header, text, timeout_s=1.0)


def test_the_view_is_what_lean_says():
    statement = stated(STATE)
    assert statement.ok
    assert statement.view.binders[0].name == "n"
    assert (statement.view.target_head, statement.view.numerals) == ("Eq", (0,))
    assert statement.negated.startswith("theorem foo : ¬")


def test_the_digest_depends_on_header_text_and_type():
    digests = {
        stated(STATE).digest,
        stated(STATE, header="open Nat").digest,
        stated(STATE, text=TEXT + " ").digest,
        stated({**STATE, "canon": "other"}).digest,
    }
    assert len(digests) == 4
    assert stated(STATE).digest in digests


def test_an_error_says_what_lean_says():
    statement = stated({"header": HEADER, "ok": False, "problem": "error", "messages": [MESSAGE]})
    assert not statement.ok
    assert statement.view is None
    assert "unsolved goals" in statement.detail


def test_an_error_of_the_header_counts():
    header = {**HEADER, "ok": False, "messages": [MESSAGE]}
    statement = stated({"header": header, "ok": False, "problem": "header"})
    assert statement.problem == "header"
    assert statement.diagnostics


def test_something_forbidden_is_named():
    found = [{"what": "option", "name": "debug.skipKernelTC", "pos": None}]
    answer = {"header": HEADER, "ok": False, "problem": "forbidden", "forbidden": found}
    assert "debug.skipKernelTC" in stated(answer).detail


def test_another_requests_answer_is_none():
    with pytest.raises(ProtocolError):
        stated({**STATE, "nonce": "another"})
