"""Whole runs kept as files, in every form that a trace ever had; `update_run_traces.py`."""

from pathlib import Path

import pytest

from ragsolver_runtime.replay.source import FileRun, run_state
from ragsolver_runtime.trace_file import open_trace
from ragsolver_runtime.trace_verify import verify_trace

RUNS = sorted((Path(__file__).parent / "runs").glob("*.jsonl"))
STATE = "669a3f0b97a81e48824dc81ca29cfe440a88004ccb0e553d7e971dc027306e0f"
"""State hash of the run. Another one means that what counts as a state was changed."""


def test_every_form_is_kept():
    assert [path.stem for path in RUNS] == ["v0", "v1", "v2"]


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
async def test_every_form_is_the_same_run(path):
    with open_trace(path) as trace:
        assert await run_state(FileRun(trace, trace.only_run().run_id)) == STATE


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_every_form_is_sound_and_only_the_newest_has_digests(path):
    check = verify_trace(path)
    assert check.faults == []
    assert check.chain == ("complete" if path.stem == "v2" else "missing")
