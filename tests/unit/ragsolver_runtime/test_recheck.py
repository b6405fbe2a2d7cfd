import pytest

from ragsolver_contracts.case import Case
from ragsolver_runtime.recheck import recheck_item
from suites.sample_run import RUN, RunWriter, write_not_proved, write_solved


def test_the_item_is_what_the_events_say() -> None:
    run = RunWriter()
    write_solved(run, "p", 1)
    item = recheck_item(Case.fold(RUN, "p", run.events))
    assert item is not None
    assert item.statement == "theorem p (n : Nat) : n + 0 = n"
    assert (item.proof, item.preamble, item.negated) == ("by simp [Nat.add_zero]", "", False)
    assert item.source.startswith("theorem add_zero_nat")


def test_nothing_accepted_nothing_to_check() -> None:
    run = RunWriter()
    write_not_proved(run, "p", 1)
    assert recheck_item(Case.fold(RUN, "p", run.events)) is None


@pytest.mark.parametrize("lost", ["candidate_proposed", "problem_submitted", "statement_checked"])
def test_an_accepted_verdict_that_rests_on_nothing_is_an_error(lost: str) -> None:
    run = RunWriter()
    write_solved(run, "p", 1)
    events = [e for e in run.events if e.name != lost]
    with pytest.raises(ValueError, match="missing"):
        recheck_item(Case.fold(RUN, "p", events))
