from ragsolver_verifier.assemble import Candidate, assemble
from ragsolver_verifier.evidence import read_evidence
from ragsolver_verifier.positions import in_own_text
from suites.scripted_lean import GOOD

TEXT = assemble("theorem foo : 1 = 1", Candidate("by\n  rfl", preamble="def one := 1"))


def message(start, end):
    return {
        "severity": "error",
        "pos": {"line": start[0], "column": start[1]},
        "endPos": end and {"line": end[0], "column": end[1]},
        "data": "wrong",
    }


def located(start, end=None):
    evidence = read_evidence({**GOOD, "messages": [message(start, end)]})
    (found,) = in_own_text(evidence, TEXT).messages
    return found


def test_messages_are_located_in_their_part():
    found = located((4, 2), (4, 5))
    assert (found.part, found.pos.line, found.pos.column) == ("proof", 2, 2)
    assert (found.end_pos.line, found.end_pos.column) == (2, 5)


def test_an_end_in_another_part_is_left_out():
    found = located((3, 0), (4, 5))
    assert (found.part, found.pos.line, found.end_pos) == ("statement", 1, None)


def test_forbidden_constructs_are_located_too():
    forbidden = [
        {"what": "command", "name": "eval", "pos": {"line": 3, "column": 23}},
        {"what": "option", "name": "x", "pos": None},
    ]
    first, second = in_own_text(read_evidence({**GOOD, "forbidden": forbidden}), TEXT).forbidden
    assert (first.part, first.pos.line, first.pos.column) == ("proof", 1, 0)
    assert second.pos is None
