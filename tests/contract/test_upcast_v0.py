"""Events of version 0, kept as files, are read by today's code; what cannot be is refused."""

import json
from pathlib import Path

import pytest

from ragsolver_contracts.events import parse_event
from ragsolver_contracts.events_work import CandidateProposed
from ragsolver_contracts.invalid import InvalidEventError

FILES = Path(__file__).parents[2] / "contracts" / "examples" / "v0"


def test_candidate_proposed_is_lifted() -> None:
    raw = json.loads((FILES / "candidate_proposed.json").read_text(encoding="utf-8"))
    event = parse_event(raw)
    assert event.type == "ragsolver.candidate_proposed.v1"
    assert isinstance(event.data, CandidateProposed)
    assert event.data.text.proof == raw["data"]["proof"]
    assert event.data.batch == raw["data"]["candidate"]
    assert event.data.closes_batch is True
    assert event.id == raw["id"]


def test_a_version_without_a_ladder_is_refused() -> None:
    raw = (FILES / "refused" / "verdict_issued.json").read_text(encoding="utf-8")
    with pytest.raises(InvalidEventError, match=r"ragsolver\.verdict_issued\.v0"):
        parse_event(raw)
