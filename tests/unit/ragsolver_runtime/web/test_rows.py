import pytest

from ragsolver_contracts.critique import ErrorClass, Route
from ragsolver_contracts.events_work import AttemptCritiqued
from ragsolver_contracts.report import Outcome
from ragsolver_contracts.testing import event
from ragsolver_runtime.web.rows import DOUBT, OPEN, doubts_of, head_of, page_of
from suites.sample_run import sample_run
from suites.web_world import fed


def names(page) -> list[str]:
    return [row.problem for row in page.rows]


def test_problems_stand_in_the_order_of_the_input() -> None:
    page = page_of(fed())
    assert [row.line for row in page.rows] == [1, 2, 3, 4, 5]
    assert page.total == 5
    assert page.counts == {
        "solved": 1, "not_proved": 1, "refused": 2, "cancelled": 1, OPEN: 0, DOUBT: 0,
    }  # fmt: skip


def test_a_row_says_what_a_problem_came_to() -> None:
    row = page_of(fed()).rows[0]
    assert (row.outcome, row.candidates, row.verdicts, row.attempt) == (Outcome.SOLVED, 2, 2, 1)
    assert row.elapsed_s is not None
    assert row.message == "Proved by simp."


@pytest.mark.parametrize(
    ("only", "kept"),
    [("solved", ["add_zero_nat"]), ("cancelled", ["dropped"]), (OPEN, []), (DOUBT, [])],
)
def test_only_some(only: str, kept: list[str]) -> None:
    assert names(page_of(fed(), only=only)) == kept


def test_open_ones_by_stage() -> None:
    page = page_of(fed(sample_run(finished=False)), only=OPEN)
    assert names(page) == ["dropped"]
    assert page.stages == {"submitted": 1}


def test_words_are_looked_for_in_names_and_messages() -> None:
    assert names(page_of(fed(), text="ADD_ZERO")) == ["add_zero_nat"]
    assert names(page_of(fed(), text="portfolio is")) == ["hard"]


def test_pages() -> None:
    page = page_of(fed(), offset=1, limit=2)
    assert names(page) == ["hard", "real_sum"]
    assert page.total == 5


@pytest.mark.parametrize(
    ("sort", "first"),
    [("name", "add_zero_nat"), ("recent", "dropped"), ("time", "hard"), ("x", "add_zero_nat")],
)
def test_orders(sort: str, first: str) -> None:
    assert names(page_of(fed(), sort=sort))[0] == first


def test_a_false_statement_is_doubtful() -> None:
    feed = fed()
    view = feed.view.problems["hard"]
    view.outcome = Outcome.STATEMENT_FALSE
    assert doubts_of(feed, view) == ("the statement is false as given",)


def test_a_statement_that_the_critic_doubts() -> None:
    doubt = AttemptCritiqued(
        attempt=2, error_class=ErrorClass.STATEMENT_PROBLEM, route=Route.EXHAUSTED
    )
    feed = fed([*sample_run(), event(doubt, problem_id="hard")])
    assert names(page_of(feed, only=DOUBT)) == ["hard"]
    assert page_of(feed).counts[DOUBT] == 1


def test_the_head_has_no_problems_but_their_counts() -> None:
    head = head_of(fed())
    assert head.report.problems == ()
    assert head.report.outcomes["refused"] == 2
    assert head.seq == fed().last
    assert not head.standing
