"""A small evaluation: two configurations, two repetitions, five problems of every fate."""

import json
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

from ragsolver_contracts.critique import ErrorClass
from ragsolver_contracts.evaluation import Contaminated, ContaminationCheck, Evaluation
from ragsolver_contracts.events import AnyEvent, make_event, subject_of
from ragsolver_contracts.events_run import RunStarted
from ragsolver_contracts.events_work import ProblemFailed, ProblemSolved
from ragsolver_contracts.ids import RUN_SCOPE
from ragsolver_contracts.report import CitedEvidence, Outcome
from ragsolver_contracts.run_config import RetrievalConfig, RunConfig
from ragsolver_contracts.testing import EPOCH
from suites.sample_run import RunWriter, accepted, rejected, solution

CHECK = ContaminationCheck(
    corpora=("core 1",),
    encoder="e",
    problems=5,
    found=(Contaminated(name="copied", corpus="core", document="Nat.x", why="statement"),),
)
FATES = {
    ("full", 1): {"easy": "solved", "lemma": "solved", "hard": "not_proved", "copied": "solved",
                  "dies": "infrastructure"},
    ("full", 2): {"easy": "solved", "lemma": "not_proved", "hard": "not_proved",
                  "copied": "solved", "dies": "solved"},
    ("no_rag", 1): {"easy": "solved", "lemma": "not_proved", "hard": "not_proved",
                    "copied": "not_proved", "dies": "solved"},
    ("no_rag", 2): {"easy": "solved", "lemma": "not_proved", "hard": "not_proved",
                    "copied": "not_proved", "dies": "solved"},
}  # fmt: skip


def trace_of(path: Path, events: Iterable[AnyEvent]) -> Path:
    """Write events as a trace of the first version."""
    lines = []
    for number, event in enumerate(events, 1):
        record = {
            "trace": 1,
            "seq": number,
            "subject": subject_of(event),
            "stored_at": event.time.isoformat(),
            "versions": {},
            "event": json.loads(event.to_json()),
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def evaluated(folder: Path) -> list[Path]:
    """The traces of the evaluation, in the order of the runs."""
    return [
        trace_of(folder / f"{name}-{repetition}.jsonl", _events(name, repetition, fates))
        for (name, repetition), fates in FATES.items()
    ]


def _events(name: str, repetition: int, fates: dict[str, str]) -> list[AnyEvent]:
    run_id = f"r{repetition}-{name}"
    rag = name == "full"
    config = RunConfig(name=name, seed=repetition, retrieval=RetrievalConfig(enabled=rag))
    part = Evaluation(
        evaluation_id="e1", repetition=repetition, baseline="full", contamination=CHECK
    )
    started = make_event(
        RunStarted(config=config, config_digest="0", evaluation=part),
        run_id=run_id,
        problem_id=RUN_SCOPE,
        source="cli/eval",
        time=EPOCH + timedelta(hours=repetition, minutes=0 if rag else 30),
    )
    run = RunWriter(run_id)
    for line, (problem, fate) in enumerate(fates.items(), 1):
        _write(run, problem, line, fate, rag=rag)
    return [started, *run.events]


def _write(run: RunWriter, name: str, line: int, fate: str, *, rag: bool) -> None:
    run.submit(name, line)
    if rag:
        run.plan_and_retrieve(name)
    outcome = Outcome(fate)
    wrong = rejected(name).model_copy(update={"error_class": ErrorClass.UNSOLVED_GOALS})
    report = solution(name, outcome, fate, 1)
    if not rag:
        report = report.model_copy(update={"citations": CitedEvidence()})
    if outcome is Outcome.SOLVED:
        run.attempt(name, 1, wrong, accepted(name))
        run.add(name, "critic", ProblemSolved(report=report))
        return
    if outcome is Outcome.NOT_PROVED:
        run.attempt(name, 1, wrong, wrong)
    failed = ProblemFailed.model_validate({"outcome": outcome, "message": fate, "report": report})
    run.add(name, "critic", failed)
