from pathlib import Path

import pytest

from ragsolver_contracts.report import Outcome
from ragsolver_runtime.errors import ConfigError
from ragsolver_runtime.trace import AnyLine, BadLine, EndLine
from ragsolver_runtime.trace_file import TraceFile, open_trace, require_sound
from suites.sample_run import RUN, RunWriter, sample_run
from suites.trace_files import trace_lines, write_trace


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_trace(tmp_path / "run.jsonl")


def test_problems_are_read_one_by_one(file: Path) -> None:
    with open_trace(file) as trace:
        require_sound(trace)
        run = trace.only_run()
        assert (run.run_id, run.lines) == (RUN, len(sample_run()))
        assert trace.chain.closed
        ids = list(trace.problem_ids(RUN))
        assert ids[0] == "add_zero_nat"
        assert len(ids) == 5
        case = trace.case(RUN, "add_zero_nat")
        assert case.outcome is Outcome.SOLVED
        assert list(case.events) == list(next(iter(trace.cases(RUN))).events)
        assert trace.has_problem(RUN, "hard")
        assert not trace.has_problem(RUN, "soft")
        event = next(e for e in sample_run() if e.name == "problem_planned")
        assert trace.line_of(event.id) == sample_run().index(event) + 1
        assert trace.line_of("0" * 32) is None
        assert list(trace.broken_causes(RUN)) == []


def test_every_line_is_looked_at(file: Path) -> None:
    seen: list[tuple[AnyLine, list[str]]] = []

    def look(line: AnyLine, broken: list[str], _: TraceFile) -> None:
        seen.append((line, broken))

    file.write_text(file.read_text() + "\n{broken\n")
    with open_trace(file, look) as trace:
        assert trace.lines == len(sample_run()) + 2
    assert isinstance(seen[-2][0], EndLine)
    assert isinstance(seen[-1][0], BadLine)
    assert all(broken == [] for _, broken in seen)


@pytest.mark.parametrize("what", ["edited", "cut", "swapped", "twice", "removed", "garbage"])
def test_a_file_that_is_not_as_exported_is_refused_with_the_line(
    tmp_path: Path, what: str
) -> None:
    lines = trace_lines()
    edited = lines[4].replace("add zero", "add one", 1)
    assert edited != lines[4]
    changed = {
        "edited": [*lines[:4], edited, *lines[5:]],
        "cut": lines[:5],
        "swapped": [*lines[:4], lines[5], lines[4], *lines[6:]],
        "twice": [*lines[:4], lines[3], *lines[4:]],
        "removed": [*lines[:4], *lines[5:]],
        "garbage": [*lines[:4], "garbage", *lines[4:]],
    }[what]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(changed) + "\n")
    with open_trace(path) as trace, pytest.raises(ConfigError, match=r"t\.jsonl line 5: "):
        require_sound(trace)


def test_an_empty_file_and_unknown_runs_are_told(tmp_path: Path, file: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    with open_trace(empty) as trace, pytest.raises(ConfigError, match="it is not a trace"):
        require_sound(trace)
    with open_trace(empty) as trace, pytest.raises(ConfigError, match="it is not a trace"):
        trace.only_run()
    with open_trace(file) as trace, pytest.raises(ConfigError, match="no run 'r9'; it has r1"):
        trace.only_run("r9")


def test_of_several_runs_one_must_be_named(tmp_path: Path) -> None:
    other = RunWriter("r2")
    other.start(0)
    path = tmp_path / "two.jsonl"
    path.write_text("\n".join([*trace_lines(), *trace_lines(other.events)]) + "\n")
    with open_trace(path) as trace:
        require_sound(trace)
        with pytest.raises(ConfigError, match=r"2 runs \(r1, r2\): name one with --run"):
            trace.only_run()
        assert trace.only_run("r2").lines == 1


def test_the_digest_is_that_of_the_file(file: Path, tmp_path: Path) -> None:
    copy = write_trace(tmp_path / "copy.jsonl")
    with open_trace(file) as one, open_trace(copy) as other:
        assert one.digest == other.digest
    copy.write_text(copy.read_text() + "\n")
    with open_trace(file) as one, open_trace(copy) as other:
        assert one.digest != other.digest
