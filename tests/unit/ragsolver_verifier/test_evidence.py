import pytest

from ragsolver_verifier.errors import ProtocolError
from ragsolver_verifier.evidence import diagnostics, open_goals, read_evidence, require_nonce
from suites.scripted_lean import GOOD, MESSAGE


def test_complete_evidence_is_read():
    evidence = read_evidence(GOOD)
    assert evidence.complete
    assert evidence.rests_on[0].kind == "theorem"


@pytest.mark.parametrize("field", ["status", "complete", "messages", "forbidden"])
def test_missing_evidence_is_a_protocol_error(field):
    with pytest.raises(ProtocolError, match=field):
        read_evidence({key: value for key, value in GOOD.items() if key != field})


def test_a_skipped_candidate_has_no_evidence():
    with pytest.raises(ProtocolError):
        read_evidence({"status": "skipped"})


def test_truth_is_not_guessed_from_text():
    with pytest.raises(ProtocolError):
        read_evidence({**GOOD, "type_equal": "true"})


def test_facts_that_are_absent_count_as_false():
    absent = {key: GOOD[key] for key in ("status", "complete", "ms", "messages")}
    evidence = read_evidence({**absent, "forbidden": []})
    facts = (evidence.type_equal, evidence.in_kernel, evidence.declared)
    assert not any(facts)


def test_long_messages_are_cut():
    found = diagnostics([{**MESSAGE, "data": "x" * 100_000}] * 500)
    assert len(found) < 100
    assert len(found[0].text) < 10_000


def test_of_many_messages_the_errors_are_told():
    warning = {**MESSAGE, "severity": "warning", "data": "a warning"}
    found = diagnostics([warning] * 100 + [MESSAGE] + [warning])
    assert [item.severity for item in found].count("error") == 1
    assert found[-1].severity == "error"


def test_leans_own_name_of_a_message_is_kept():
    (found,) = diagnostics([{**MESSAGE, "kind": "Tactic.unsolvedGoals"}])
    assert found.kind == "Tactic.unsolvedGoals"


def test_goals_are_told_once_holes_first():
    told = {**GOOD, "sorries": [{"goal": "\n⊢ a"}], "goals": ["⊢ b", "\n⊢ a", "", "⊢ c"]}
    assert open_goals(read_evidence(told)) == ("⊢ a", "⊢ b", "⊢ c")


def test_goals_are_bounded():
    told = {**GOOD, "goals": [f"⊢ {n}" for n in range(100)]}
    assert len(open_goals(read_evidence(told))) < 20


def test_unreadable_messages_are_a_protocol_error():
    with pytest.raises(ProtocolError):
        diagnostics([{"severity": "fatal"}])


@pytest.mark.parametrize(
    "answer", [{}, {"nonce": "b"}, {"nonce": None}, {"nonce": "a", "error": "x"}]
)
def test_only_the_answer_to_this_request_counts(answer):
    with pytest.raises(ProtocolError):
        require_nonce(answer, "a")


def test_the_right_answer_passes():
    require_nonce({"nonce": "a"}, "a")
