from ragsolver_contracts.upcast import STEPS, upcast


def test_one_step_lifts_one_version() -> None:
    old = {"type": "ragsolver.candidate_proposed.v0", "data": {"candidate": 3, "proof": "rfl"}}
    new = upcast(old)
    assert new["type"] == "ragsolver.candidate_proposed.v1"
    assert new["data"]["text"] == {"preamble": "", "proof": "rfl"}
    assert new["data"]["batch"] == 3
    assert "proof" in old["data"], "the stored event is never rewritten"


def test_what_has_no_ladder_is_left_alone() -> None:
    for event in (
        {"type": "ragsolver.verdict_issued.v0", "data": {}},
        {"type": "elsewhere.thing", "data": {}},
        {"type": "ragsolver.candidate_proposed.v0", "data": None},
        {},
    ):
        assert upcast(event) is event


def test_ladders_have_no_missing_rung() -> None:
    for name, version in STEPS:
        assert version == 0 or (name, version - 1) in STEPS
