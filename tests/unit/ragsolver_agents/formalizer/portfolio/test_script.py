"""Scripts are indented Lean text."""

from ragsolver_agents.formalizer.portfolio.script import by, first


def test_lines_are_indented_below_by():
    assert by(["intro n", "", "have h : a := by\n  omega"]) == (
        "by\n  intro n\n  have h : a := by\n    omega"
    )


def test_first_tries_in_order():
    assert first(["omega", "grind"]) == "first | omega | grind"
