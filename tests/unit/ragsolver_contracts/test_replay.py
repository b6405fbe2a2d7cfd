import pytest
from pydantic import ValidationError

from ragsolver_contracts.replay import Replay, ReplayStage, StageReason

TERMS = {"run_id": "r1", "trace_digest": "d", "recording": "abc"}


def test_an_untouched_stage_is_reused_and_a_touched_one_is_not() -> None:
    reason = StageReason(what="retrieval.k", stage=ReplayStage.RETRIEVAL, old="8", new="16")
    replay = Replay(**TERMS, reasons=(reason,))
    assert not replay.reuses(ReplayStage.RETRIEVAL)
    assert replay.reuses(ReplayStage.STATEMENT)
    assert replay.reuses(ReplayStage.VERDICT)


def test_recheck_asks_lean_everything_and_nobody_else() -> None:
    replay = Replay(**TERMS, recheck=True)
    reused = [stage for stage in ReplayStage if replay.reuses(stage)]
    assert ReplayStage.STATEMENT not in reused
    assert ReplayStage.VERDICT not in reused
    assert ReplayStage.RETRIEVAL in reused


def test_a_recording_is_named_by_one_subject_token() -> None:
    with pytest.raises(ValidationError):
        Replay(**{**TERMS, "recording": "a.b"})
