import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragsolver_contracts.events import make_event
from ragsolver_contracts.report import Outcome
from ragsolver_runtime.trace import trace_line
from ragsolver_runtime.trace_verify import Fault, verify_trace
from ragsolver_runtime.wire import StoredEvent
from suites.sample_run import RUN, VERSIONS, sample_run

Lines = list[dict[str, Any]]


def records() -> Lines:
    numbered = enumerate(sample_run(), start=1)
    return [json.loads(trace_line(StoredEvent(n, e), VERSIONS)) for n, e in numbered]


def verified(tmp_path: Path, lines: Lines) -> Any:
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return verify_trace(path)


def at(lines: Lines, name: str, problem: str, nth: int = 0) -> int:
    """Position of the nth event of a name in a problem."""
    found = [
        i
        for i, line in enumerate(lines)
        if line["event"]["subject"] == f"{RUN}/{problem}"
        and line["event"]["type"] == f"ragsolver.{name}.v1"
    ]
    return found[nth]


def without(name: str, problem: str, nth: int = 0) -> Callable[[Lines], Lines]:
    def _drop(lines: Lines) -> Lines:
        position = at(lines, name, problem, nth)
        return lines[:position] + lines[position + 1 :]

    return _drop


def rules(faults: list[Fault]) -> set[str]:
    return {fault.rule for fault in faults}


def test_an_honest_trace_has_no_faults(tmp_path: Path) -> None:
    check = verified(tmp_path, records())
    assert check.faults == []
    assert check.lines == len(sample_run())
    assert check.runs == {RUN: "full"}
    assert check.outcomes[RUN]["add_zero_nat"] is Outcome.SOLVED
    ((run_id, item),) = check.proofs
    assert (run_id, item.problem_id, item.proof) == (RUN, "add_zero_nat", "by simp [Nat.add_zero]")


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (without("run_started", "_run"), "gap"),
        (without("problem_submitted", "add_zero_nat"), "gap"),
        (without("statement_checked", "add_zero_nat"), "causation"),
        (without("candidate_proposed", "add_zero_nat"), "gap"),
        (without("verdict_issued", "add_zero_nat", 1), "proof"),
        (without("verdict_issued", "hard", 0), "gap"),
        (without("attempt_critiqued", "hard"), "causation"),
        (without("problem_failed", "hard"), "gap"),
        (without("problem_refused", "real_sum"), "count"),
        (lambda lines: [*lines[:5], lines[4], *lines[5:]], "duplicate"),
        (lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]], "order"),
        (lambda lines: [*lines[:-1], {**lines[-1], "versions": {}}], "versions"),
        (lambda lines: [*lines[:-1], {**lines[-1], "seq": "x"}], "line"),
        (lambda _: [], "line"),
    ],
)
def test_a_changed_trace_is_found_out(
    tmp_path: Path, change: Callable[[Lines], Lines], rule: str
) -> None:
    check = verified(tmp_path, change(records()))
    assert rule in rules(check.faults)


def test_faults_name_their_lines(tmp_path: Path) -> None:
    lines = records()
    position = at(lines, "verdict_issued", "hard")
    lines[position] = {**lines[position], "subject": "rs.v1.elsewhere"}
    faults = verified(tmp_path, lines).faults
    assert faults[0].line == position + 1


def test_an_effect_before_its_cause_is_told_apart_from_a_missing_cause(tmp_path: Path) -> None:
    lines = records()
    first, second = at(lines, "problem_planned", "hard"), at(lines, "evidence_retrieved", "hard")
    lines[first], lines[second] = lines[second], lines[first]
    messages = [f.message for f in verified(tmp_path, lines).faults if f.rule == "causation"]
    assert any(f"comes only in line {second + 1}" in message for message in messages)


def test_a_forged_report_is_found_out(tmp_path: Path) -> None:
    lines = records()
    position = at(lines, "problem_solved", "add_zero_nat")
    lines[position]["event"]["data"]["report"]["proof"]["source"] = "theorem other : True"
    faults = verified(tmp_path, lines).faults
    assert [(f.line, f.rule) for f in faults] == [(position + 1, "proof")]


def test_a_caused_event_without_a_cause_is_found_out(tmp_path: Path) -> None:
    events = sample_run()
    position = next(i for i, e in enumerate(events) if e.name == "problem_planned")
    bare = events[position]
    events[position] = make_event(
        bare.data,
        run_id=bare.run_id,
        problem_id=bare.problem_id,
        source=bare.source,
        time=bare.time,
    )
    numbered = enumerate(events, start=1)
    lines = [json.loads(trace_line(StoredEvent(n, e), VERSIONS)) for n, e in numbered]
    faults = verified(tmp_path, lines).faults
    assert [(f.line, f.rule) for f in faults] == [(position + 1, "causation")]
