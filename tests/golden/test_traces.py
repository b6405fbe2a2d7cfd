"""The deciding workers decide as the recorded traces say; `update_traces.py` records them."""

import json
from pathlib import Path

import pytest

from golden.update_traces import CONFIG, TRACES, lines, worlds
from ragsolver_contracts.case import Case
from ragsolver_contracts.events import parse_event
from suites.deciding_world import AGENTS

RECORDED = sorted(TRACES.glob("*.jsonl"))


def events_of(path: Path):
    return [parse_event(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_history_is_recorded():
    assert {path.stem for path in RECORDED} == set(worlds())


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_fresh_history_is_the_recorded_one(path):
    fresh = lines(worlds()[path.stem])
    recorded = path.read_text(encoding="utf-8").splitlines()
    for number, (new, old) in enumerate(zip(fresh, recorded, strict=False), start=1):
        assert json.loads(new) == json.loads(old), f"{path.name}:{number} differs"
    assert len(fresh) == len(recorded)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_each_decision_follows_from_the_events_before_it(path):
    """Every trigger, replayed on the prefix that its worker saw, gives what was recorded."""
    history = events_of(path)
    for role, decide in AGENTS.items():
        for trigger in history:
            said = [e for e in history if e.causationid == trigger.id and e.role == role]
            if not said:
                continue
            before = history[: history.index(said[0])]
            case = Case.fold("r1", "asked", before, CONFIG)
            assert decide(case, trigger) == [event.data for event in said]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_repeated_delivery_after_the_end_decides_nothing(path):
    history = events_of(path)
    case = Case.fold("r1", "asked", history, CONFIG)
    ended = {e.id for e in history}
    for trigger in history:
        for decide in (AGENTS["generator"], AGENTS["critic"]):
            assert decide(case, trigger) == []
    assert case.outcome is not None
    assert len(ended) == len(history)
