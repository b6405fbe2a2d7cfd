"""Whole runs kept as files, in every form that a trace ever had; `update_run_traces.py`."""

from pathlib import Path

import pytest

from ragsolver_runtime.replay.source import FileRun, run_state
from ragsolver_runtime.trace_file import open_trace
from ragsolver_runtime.trace_verify import verify_trace

RUNS = sorted((Path(__file__).parent / "runs").glob("*.jsonl"))
STATE = "462c2897db6a990754776076b252d9ba092729dc4161152b081bd7e7cd9ef650"
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
