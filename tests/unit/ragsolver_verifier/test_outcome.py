import pytest

from ragsolver_verifier.evidence import read_evidence
from ragsolver_verifier.outcome import objection
from suites.scripted_lean import GOOD, MESSAGE

TIMEOUT = {**MESSAGE, "data": "(deterministic) timeout at `whnf`, maximum number of heartbeats"}
FAILED = {"ok": False, "checked": 0, "new": 1}


def reason(**changes):
    found = objection(read_evidence({**GOOD, **changes}), "foo")
    return found and (found.status.value, found.reason.value)


def test_complete_evidence_meets_no_objection():
    assert reason() is None


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"forbidden": [{"what": "command", "name": "x", "pos": None}]}, "forbidden_construct"),
        ({"forbidden": [{"what": "axiom", "name": "x", "pos": None}]}, "forbidden_axiom"),
        ({"messages": [MESSAGE]}, "elaboration_error"),
        ({"messages": [MESSAGE, TIMEOUT]}, "elaboration_error"),
        ({"declared": 0}, "statement_mismatch"),
        ({"declared": 2}, "statement_mismatch"),
        ({"kind": "def"}, "statement_mismatch"),
        ({"type_equal": False}, "statement_mismatch"),
        ({"axioms": ["sorryAx"]}, "contains_sorry"),
        ({"axioms": ["Lean.ofReduceBool"]}, "forbidden_axiom"),
        ({"axioms": ["A.propext"]}, "forbidden_axiom"),
        ({"new_axioms": ["propext"]}, "forbidden_axiom"),
        ({"rests_on": [{"name": "c", "kind": "opaque", "safe": True}]}, "forbidden_construct"),
        ({"rests_on": [{"name": "c", "kind": "def", "safe": False}]}, "forbidden_construct"),
        ({"kernel": None}, "elaboration_error"),
        ({"in_kernel": False}, "elaboration_error"),
        ({"kernel": {**FAILED, "failed": []}}, "elaboration_error"),
        (
            {"kernel": {**FAILED, "failed": [{"name": "foo._proof_1", "error": "ill-typed"}]}},
            "elaboration_error",
        ),
    ],
)
def test_every_missing_fact_is_a_rejection(changes, why):
    assert reason(**changes) == ("rejected", why)


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": [TIMEOUT]},
        {"kernel": {**FAILED, "failed": [{"name": "foo", "error": "timeout"}]}},
    ],
)
def test_heartbeats_alone_leave_it_undecided(changes):
    assert reason(**changes) == ("inconclusive", "timeout")


def test_a_warning_is_no_objection():
    assert reason(messages=[{**MESSAGE, "severity": "warning"}]) is None


IMPORT = {"what": "command", "name": "Lean.Parser.Command.import", "pos": {"line": 3, "column": 0}}


def test_a_forbidden_import_says_where_imports_belong():
    found = objection(read_evidence({**GOOD, "forbidden": [IMPORT]}), "foo")
    assert found
    assert "in line 3: imports belong to the header" in found.detail


def test_a_finding_does_not_hide_the_error_before_it():
    found = objection(read_evidence({**GOOD, "forbidden": [IMPORT], "messages": [MESSAGE]}), "foo")
    assert found
    assert found.reason == "forbidden_construct"
    assert found.detail.endswith("; before it: unsolved goals ⊢ False")
