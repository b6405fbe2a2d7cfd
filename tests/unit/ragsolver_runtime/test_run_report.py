from ragsolver_contracts.case import Case
from ragsolver_contracts.events_run import ProblemSubmitted
from ragsolver_contracts.problem import InputSource, Parent
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.testing import event, problem
from ragsolver_runtime.recheck import RecheckResult
from ragsolver_runtime.run_report import RunReport, problem_detail, report_of_events
from suites.asking_world import call_events
from suites.sample_run import ADVISORY, RUN, RunWriter, sample_run, write_not_proved, write_solved


def test_report_of_a_finished_run() -> None:
    report = report_of_events(RUN, sample_run())
    assert [p.outcome for p in report.problems] == [
        Outcome.SOLVED,
        Outcome.NOT_PROVED,
        Outcome.REFUSED,
        Outcome.REFUSED,
        Outcome.CANCELLED,
    ]
    assert [p.line for p in report.problems] == [1, 2, 3, 4, 5]
    assert (report.open, report.refused_inputs, report.problem_count) == (0, 1, 5)
    assert report.elapsed_s > 0
    assert not report.all_solved
    assert not report.infrastructure_failed
    assert RunReport.model_validate_json(report.model_dump_json()) == report


def test_unfinished_run_counts_what_is_open() -> None:
    report = report_of_events(RUN, sample_run(finished=False))
    assert (report.open, report.finished_at) == (1, None)
    assert report.problems[-1].stage == "submitted"


def test_all_solved_needs_something_solved() -> None:
    assert not report_of_events(RUN, []).all_solved
    run = RunWriter()
    write_solved(run, "p", 1)
    assert report_of_events(RUN, run.events).all_solved


def test_a_proof_that_a_second_process_does_not_accept_is_a_failure() -> None:
    report = report_of_events(RUN, sample_run())
    good = report.with_rechecks([RecheckResult("add_zero_nat", accepted=True)])
    bad = report.with_rechecks([RecheckResult("add_zero_nat", accepted=False, detail="axiom")])
    assert not good.infrastructure_failed
    assert bad.infrastructure_failed
    assert bad.problems[0].recheck is not None
    assert bad.problems[0].recheck.detail == "axiom"


def test_workers_are_told_apart() -> None:
    shares = {w.source: w for w in report_of_events(RUN, sample_run()).workers}
    assert shares["verifier/one"].total == 7
    assert shares["critic/one"].events == {
        "attempt_critiqued": 1,
        "problem_failed": 1,
        "problem_refused": 1,
        "problem_solved": 1,
    }


def test_detail_says_what_became_of_every_candidate() -> None:
    run = RunWriter()
    write_solved(run, "p", 1)
    detail = problem_detail(Case.fold(RUN, "p", run.events))
    assert [(c.status, c.reason, c.judged_by) for c in detail.candidates] == [
        ("rejected", "elaboration_error", "verifier/one"),
        ("accepted", "", "verifier/one"),
    ]
    assert detail.entry.outcome is Outcome.SOLVED
    assert detail.statement.startswith("theorem p")


def test_detail_of_a_candidate_without_verdict() -> None:
    run = RunWriter()
    write_not_proved(run, "p", 1)
    without = [e for e in run.events if e.name not in {"verdict_issued", "problem_failed"}]
    detail = problem_detail(Case.fold(RUN, "p", without))
    assert {c.status for c in detail.candidates} == {"open"}


def test_advisories_of_the_proofs_come_with_their_sentences() -> None:
    found = report_of_events(RUN, sample_run()).advisories
    assert found[ADVISORY].startswith("parametric arguments")
    assert found["lean4-0-unknown-here"] == ""


def test_the_report_says_where_a_problem_comes_from() -> None:
    source = InputSource(file="a.json", line=3, dataset="A Set", licence="MIT")
    submitted = ProblemSubmitted(problem=problem("p", source=source, split="test"))
    (entry,) = report_of_events("r1", [event(submitted, problem_id="p")]).problems
    assert (entry.file, entry.line) == ("a.json", 3)
    assert (entry.dataset, entry.licence, entry.split) == ("A Set", "MIT", "test")


def test_calls_are_counted_from_their_events() -> None:
    events = sample_run()
    cause = next(e for e in events if e.problem_id == "hard")
    report = report_of_events(RUN, [*events, *call_events(cause, "hard", RUN)])
    assert (report.llm_calls, report.cost_usd) == (2, 0.25)
    assert (report.language_model.lost, report.language_model.input_tokens) == (1, 7)
    (use,) = report.model_uses
    assert (use.agent, use.calls, use.outcomes) == ("generator", 2, {"lost": 1, "answered": 1})


def test_precision_counts_what_was_retrieved_for_proved_problems() -> None:
    report = report_of_events(RUN, sample_run())
    assert (report.used, report.retrieved, report.precision) == (1, 4, 0.25)
    assert report_of_events(RUN, []).precision is None


def test_children_stand_below_their_parent_and_are_not_counted() -> None:
    def asked(name: str, *above: str):
        parent = None
        if above:
            parent = Parent(problem_id=above[-1], attempt=1, hole_id="h1", ancestors=above)
        return event(ProblemSubmitted(problem=problem(name, parent=parent)), problem_id=name)

    family = [asked("p"), asked("p.a1.h1", "p"), asked("p.a1.h1.a1.h1", "p", "p.a1.h1")]
    report = report_of_events("r1", family)
    (entry,) = report.problems
    (child,) = entry.children
    assert (entry.problem_id, report.open) == ("p", 1)
    assert (child.problem_id, child.outcome) == ("p.a1.h1", None)
    assert [below.problem_id for below in child.children] == ["p.a1.h1.a1.h1"]
