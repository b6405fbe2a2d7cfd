"""Replays on the real server, with six workers that would count any real work."""

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from golden.test_runs import STATE
from ragsolver_contracts.envelope import Payload
from ragsolver_contracts.events_llm import LlmCalled
from ragsolver_contracts.events_work import CandidateProposed, ProblemPlanned
from ragsolver_contracts.replay import ReplayStage
from ragsolver_contracts.run_config import RunConfig
from ragsolver_runtime.replay.compare import Cause
from ragsolver_runtime.replay.exchanges import recorded_exchange
from ragsolver_runtime.replay.replaying import (
    ReplayOrder,
    ReplayWishes,
    plan_replay,
    replay_to_end,
    resumed_order,
)
from ragsolver_runtime.replay.report import ReplayReport, replay_report
from ragsolver_runtime.replay.source import BusRun, FileRun
from ragsolver_runtime.run_notes import LATEST
from ragsolver_runtime.run_view import RunView
from ragsolver_runtime.testing import scripted_worker
from ragsolver_runtime.trace_file import open_trace
from ragsolver_runtime.trace_verify import verify_trace
from suites import simulated_workers as sim
from suites.hosted_workers import WORKERS, export, hosted, solve
from suites.recorded_progress import RecordedProgress
from suites.sample_run import VERSIONS

pytestmark = pytest.mark.connected

STATEMENTS = ("True", "1 = 2", "(0 : ℝ) = 0", "True ∧ True")
SOLVED, OPEN, REFUSED = 2, 1, 1
CHECKS = len(STATEMENTS) + SOLVED + OPEN
"""Statements, and one batch of each problem that could be stated."""


@pytest.fixture(autouse=True)
def counts() -> Counter[str]:
    sim.COUNTS.clear()
    return sim.COUNTS


async def recorded(bus: Any, path: Path, workers: Any = WORKERS) -> Path:
    """A trace of a run of four problems."""
    async with hosted(bus.settings, workers):
        await solve(bus, "old", STATEMENTS)
    await export(bus.reader, "old", path)
    sim.COUNTS.clear()
    return path


async def replayed(
    bus: Any,
    path: Path,
    *,
    run_id: str = "new",
    config: RunConfig | None = None,
    workers: Any = WORKERS,
    **wishes: Any,
) -> ReplayReport:
    with open_trace(path) as trace:
        terms = plan_replay(trace, trace.only_run(), config, ReplayWishes(**wishes), VERSIONS)
        order = ReplayOrder(run_id, *terms, VERSIONS)
        async with hosted(bus.settings, workers):
            await replay_to_end(bus, trace, order, RunView(run_id), RecordedProgress())
        old = FileRun(trace, trace.only_run().run_id)
        return await replay_report(old, BusRun(bus.reader, run_id))


async def test_the_same_configuration_comes_to_the_same_state(bus, tmp_path, counts):
    report = await replayed(bus, await recorded(bus, tmp_path / "old.jsonl"))
    assert report.same, report.parted
    assert counts == {}
    assert report.spent.live.nothing
    assert report.spent.reused.lean_checks == len(STATEMENTS) + 2 * (SOLVED + OPEN)
    assert report.spent.reused.retrievals == SOLVED + OPEN
    # A replay is a run like any other: its trace is sound, and replays again.
    again = tmp_path / "new.jsonl"
    await export(bus.reader, "new", again)
    check = verify_trace(again)
    assert (check.faults, check.chain) == ([], "complete")
    third = await replayed(bus, again, run_id="third")
    assert third.same
    assert third.new_state == report.old_state
    assert counts == {}


@pytest.mark.parametrize("form", ["v0", "v1", "v2"])
async def test_a_trace_of_any_version_replays_to_its_own_state(bus, form, counts):
    path = Path(__file__).parents[2] / "golden" / "runs" / f"{form}.jsonl"
    report = await replayed(bus, path)
    assert report.same, report.parted
    assert report.new_state == STATE
    assert counts == {}


async def test_recheck_asks_lean_everything_again_and_nobody_else(bus, tmp_path, counts):
    path = await recorded(bus, tmp_path / "old.jsonl")
    report = await replayed(bus, path, recheck=True)
    assert report.same
    assert counts == {"checks": CHECKS}
    assert report.spent.live.lean_checks == len(STATEMENTS) + 2 * (SOLVED + OPEN)
    assert report.spent.reused.retrievals == SOLVED + OPEN


async def test_another_retrieval_is_asked_and_every_verdict_used_again(bus, tmp_path, counts):
    path = await recorded(bus, tmp_path / "old.jsonl")
    config = RunConfig.model_validate({"name": "k3", "retrieval": {"k": 3}})
    report = await replayed(bus, path, config=config)
    assert counts == {"retrievals": SOLVED + OPEN}
    assert len(report.parted) == SOLVED + OPEN
    for problem in report.parted:
        assert problem.parting is not None
        assert problem.parting.cause is Cause.RETRIEVAL
        assert problem.parting.event == "evidence_retrieved 1.s1.0"
        assert problem.parting.detail == "changed: retrieval.k"
        assert problem.spent.live.retrievals == 1
        assert problem.spent.live.lean_checks == 0


async def test_from_a_stage_asks_that_stage_anew(bus, tmp_path, counts):
    path = await recorded(bus, tmp_path / "old.jsonl")
    report = await replayed(bus, path, from_stage=ReplayStage.VERDICT, only=("p1", "p2"))
    assert report.same
    assert counts == {"checks": 2}
    assert [p.problem_id for p in report.problems] == ["p1", "p2"]


async def test_what_is_recorded_only_in_part_is_checked_for_the_rest(bus, tmp_path, counts):
    """One candidate is another text now: its batch is judged live for it alone."""
    path = await recorded(bus, tmp_path / "old.jsonl")

    async def propose(context, case, trigger) -> list[Payload]:
        found = list(await sim.propose(context, case, trigger))
        first = found[0]
        assert isinstance(first, CandidateProposed)
        text = first.text.model_copy(update={"proof": "by another"})
        return [first.model_copy(update={"text": text}), *found[1:]]

    formalizer = replace(sim.FORMALIZER, open=scripted_worker(propose).open)
    workers = [formalizer if w is sim.FORMALIZER else w for w in WORKERS]
    report = await replayed(bus, path, workers=workers, only=("p2",))
    (problem,) = report.problems
    assert problem.parting is not None
    assert problem.parting.event == "candidate_proposed 1.0"
    assert counts == {"checks": 1}
    assert problem.spent.live.lean_checks == 1
    assert problem.spent.reused.lean_checks == 2


async def planning(context, case, trigger) -> list[Payload]:
    """A planner that asks a language model, as one of the product would."""
    known = await recorded_exchange(
        await context.recorded(case.run_id, case.problem_id), case, "h"
    )
    if not case.statement.statable:
        return []
    if known is None:
        sim.count("calls")
    call = LlmCalled(
        call=1,
        agent="planner",
        purpose="plan",
        prompt_id="p",
        prompt_hash="h",
        model="m",
        request_hash="h",
        response="all of it",
        stop_reason="end_turn",
    )
    return [call, *await sim.plan(context, case, trigger)]


PLANNER = replace(
    sim.PLANNER, open=scripted_worker(planning).open, emits=(ProblemPlanned, LlmCalled)
)
CALLING = [PLANNER if worker is sim.PLANNER else worker for worker in WORKERS]


async def test_recorded_calls_no_model_and_says_what_it_lacks(bus, tmp_path, counts):
    path = await recorded(bus, tmp_path / "old.jsonl", CALLING)
    report = await replayed(bus, path, workers=CALLING)
    assert report.same
    assert counts == {}
    silent = tmp_path / "silent.jsonl"
    await replayed(bus, path, run_id="again", workers=WORKERS, only=("p1",))
    await export(bus.reader, "again", silent)
    lacking = await replayed(bus, silent, run_id="lacking", workers=CALLING)
    assert counts == {}
    (problem,) = lacking.problems
    assert problem.new is not None
    assert problem.new.value == "cancelled"
    assert problem.parting is not None
    assert problem.parting.cause is Cause.LLM_ANSWER
    assert "no recorded answer" in problem.parting.detail
    allowed = await replayed(
        bus, silent, run_id="allowed", workers=CALLING, llm="recorded-then-live"
    )
    assert counts == {"calls": 1}
    assert allowed.problems[0].new == problem.old


async def test_a_killed_replay_goes_on_and_doubles_nothing(bus, tmp_path, counts):
    path = await recorded(bus, tmp_path / "old.jsonl")
    with open_trace(path) as trace:
        terms = plan_replay(trace, trace.only_run(), None, ReplayWishes(), VERSIONS)
        order = ReplayOrder("new", *terms, VERSIONS)
        some = [worker for worker in WORKERS if worker is not sim.CRITIC]
        async with hosted(bus.settings, some):
            work = asyncio.create_task(
                replay_to_end(bus, trace, order, RunView("new"), RecordedProgress())
            )
            names: list[str] = []
            while names.count("verdict_issued") < 2:
                names = [event.name async for event in bus.reader.read_run("new")]
                await asyncio.sleep(0.05)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        found = await resumed_order(bus.reader, trace, "old", LATEST)
        assert found == order
        async with hosted(bus.settings):
            await replay_to_end(bus, trace, found, RunView("new"), RecordedProgress())
        report = await replay_report(FileRun(trace, "old"), BusRun(bus.reader, "new"))
    assert report.same
    assert counts == {}
    ids = [event.id async for event in bus.reader.read_run("new")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("what", ["edited", "removed", "repeated", "swapped", "cut"])
async def test_a_tampered_export_is_found_with_its_line(bus, tmp_path, what):
    path = await recorded(bus, tmp_path / "old.jsonl")
    lines = path.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"type":"ragsolver.verdict_issued' in line)
    edited = lines[at].replace('"elapsed_ms":5.0', '"elapsed_ms":4.0')
    changed, line = {
        "edited": ([*lines[:at], edited, *lines[at + 1 :]], at + 1),
        "removed": ([*lines[:at], *lines[at + 1 :]], at + 1),
        "repeated": ([*lines[: at + 1], lines[at], *lines[at + 1 :]], at + 2),
        "swapped": ([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]], at + 1),
        "cut": (lines[: at + 1], at + 1),
    }[what]
    path.write_text("\n".join(changed) + "\n")
    check = verify_trace(path)
    assert check.chain == "broken"
    first = next(fault for fault in check.faults if fault.rule == "chain")
    assert first.line == line, check.faults
