import pytest

from ragsolver_contracts.lean import Position
from ragsolver_verifier.evidence import Message
from ragsolver_verifier.unknown import suggestions, unknown_identifiers
from suites.lean_failures import FAILURES, recorded

PLACE = Position(line=2, column=3)
RECORDED = recorded()


def said(data, **fields):
    return Message(severity=fields.pop("severity", "error"), pos=PLACE, data=data, **fields)


@pytest.mark.parametrize(
    "failure", [f for f in FAILURES if f.unknown], ids=[f.name for f in FAILURES if f.unknown]
)
def test_names_are_read_off_what_lean_says(failure):
    tokens = [name for what, name in failure.unknown if what == "tactic"]
    messages = [said(m["text"], token="".join(tokens)) for m in RECORDED[failure.name]["messages"]]
    assert [(u.what, u.name) for u in unknown_identifiers(messages)] == list(failure.unknown)


def test_nothing_is_unknown_in_the_other_failures():
    texts = [m["text"] for f in FAILURES if not f.unknown for m in RECORDED[f.name]["messages"]]
    assert unknown_identifiers(map(said, texts)) == ()


def test_the_place_is_told():
    (found,) = unknown_identifiers([said("Unknown constant `Nat.foo`", part="proof")])
    assert (found.part, found.start) == ("proof", PLACE)


def test_each_name_once_in_the_order_of_the_messages():
    texts = ["Unknown constant `b.c`", "Unknown identifier `a`", "Unknown constant `b.c`"]
    assert [u.name for u in unknown_identifiers(map(said, texts))] == ["b.c", "a"]


def test_warnings_name_nothing_unknown():
    assert unknown_identifiers([said("Unknown identifier `a`", severity="warning")]) == ()


def test_a_hint_comes_before_what_the_name_may_stand_for():
    text = (
        "Unknown constant `List.every`\n\nHint: Perhaps you meant `List.all` in place of "
        "`List.every`:\n  [apply] `List.all`"
    )
    found = suggestions(said(text, candidates=["List.everything", "List.all"]))
    assert found == ("List.all", "List.everything")


def test_lean_proposes_nothing():
    assert suggestions(said("Unknown constant `Nat.nothing`")) == ()
