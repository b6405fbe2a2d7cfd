import random

from ragsolver_contracts.events_run import ProblemCancelled, ProblemSubmitted
from ragsolver_contracts.problem import Parent
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.testing import event as made
from ragsolver_contracts.testing import problem
from ragsolver_runtime.run_view import RunView, Stage
from suites.sample_run import RUN, RunWriter, sample_run, write_solved


def viewed(events: list) -> RunView:
    view = RunView(RUN)
    for event in events:
        view.apply(event)
    return view


def test_outcomes_names_and_reasons() -> None:
    view = viewed(sample_run())
    assert view.outcomes() == {"solved": 1, "not_proved": 1, "refused": 2, "cancelled": 1}
    assert view.open_problems == []
    refused = view.problems["real_sum"]
    assert (refused.reason, refused.line, refused.was_input_only) == ("needs_mathlib", 3, False)
    (bad,) = [p for p in view.problems.values() if p.was_input_only]
    assert (bad.reason, bad.label) == ("bad_json", "line 4")
    assert view.problems["dropped"].message == "cancelled by anna: too slow"
    assert view.finished is not None


def test_events_in_any_order_and_twice_give_the_same_view() -> None:
    events = sample_run()
    shuffled = [*events, *events]
    random.Random(3).shuffle(shuffled)
    assert viewed(shuffled) == viewed(events)


def test_an_ending_event_is_told_once() -> None:
    view = RunView(RUN)
    ended = [p.problem_id for e in sample_run() if (p := view.apply(e))]
    assert len(ended) == len(set(ended)) == 5


def test_stages_of_open_problems() -> None:
    view = RunView(RUN)
    run = RunWriter()
    run.start(1)
    write_solved(run, "p", 1)
    stages = []
    for event in run.events:
        view.apply(event)
        if "p" in view.problems:
            stages.append(view.problems["p"].stage)
    assert list(dict.fromkeys(stages)) == list(Stage)


def test_who_did_what() -> None:
    view = viewed(sample_run())
    verifier = view.workers["verifier/one"]
    assert verifier.events == {"statement_checked": 3, "verdict_issued": 4}
    assert verifier.lean_ms == 70.0
    assert view.lean_ms == 70.0


def test_a_proof_outranks_a_cancellation() -> None:
    run = RunWriter()
    write_solved(run, "p", 1)
    run.add("p", "cli", ProblemCancelled(requested_by="anna"))
    for events in (run.events, run.events[::-1]):
        assert viewed(events).problems["p"].outcome is Outcome.SOLVED


def test_events_of_another_run_change_nothing() -> None:
    other = RunView("r2")
    assert all(other.apply(event) is None for event in sample_run())
    assert other == RunView("r2")


def test_children_are_no_problems_of_the_run():
    parent = Parent(problem_id="p", attempt=1, hole_id="h1", ancestors=("p",))
    view = RunView("r1")
    asked = made(ProblemSubmitted(problem=problem("p")), problem_id="p")
    child = made(ProblemSubmitted(problem=problem("p.a1.h1", parent=parent)), problem_id="p.a1.h1")
    over = made(ProblemCancelled(requested_by="parent"), problem_id="p.a1.h1")
    for item in (asked, child):
        view.apply(item)
    assert view.apply(over) is None
    assert list(view.problems) == ["p"]
    assert view.children["p.a1.h1"].parent == "p"
    assert view.outcomes() == {}
    late = RunView("r1")
    for item in (over, child):
        late.apply(item)
    assert not late.problems
    assert late.children["p.a1.h1"].outcome is Outcome.CANCELLED
