"""Children stand below their parents, in the order of their names."""

from ragsolver_contracts.report import Outcome
from ragsolver_runtime.run_children import children_below, indented
from ragsolver_runtime.run_view import ProblemView


def test_a_tree_of_children():
    views = [
        ProblemView("p.a1.h2", parent="p", outcome=Outcome.SOLVED),
        ProblemView("p.a1.h1.a1.h1", parent="p.a1.h1", message="no"),
        ProblemView("p.a1.h1", parent="p"),
        ProblemView("q.a1.h1", parent="q"),
    ]
    first, second = children_below(views)("p")
    assert (first.problem_id, first.outcome) == ("p.a1.h1", None)
    assert [(c.problem_id, c.message) for c in first.children] == [("p.a1.h1.a1.h1", "no")]
    assert (second.problem_id, second.outcome, second.children) == ("p.a1.h2", Outcome.SOLVED, ())
    assert children_below(views)("nobody") == ()


def test_rows_of_a_table_are_indented_and_name_the_hole():
    views = [
        ProblemView("p.a1.h1", parent="p"),
        ProblemView("p.a1.h1.a2.h3", parent="p.a1.h1"),
        ProblemView("p.a1.h2", parent="p"),
    ]
    rows = [name for name, _ in indented(children_below(views)("p"), "p")]
    assert rows == ["↳ a1.h1", "  ↳ a2.h3", "↳ a1.h2"]
