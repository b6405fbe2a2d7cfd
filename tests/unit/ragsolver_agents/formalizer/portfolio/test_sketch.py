from itertools import pairwise

from ragsolver_agents.formalizer.portfolio.script import Asked, Script
from ragsolver_agents.formalizer.portfolio.sketch import OPEN, ROUNDS, Sketch, fill
from ragsolver_agents.lemmas import Lemma
from ragsolver_contracts.lean import HoleView, Position
from suites.deciding_world import view

GOAL = view("n = 0 ∧ n < 3", ("n", "ℕ"), ("h", "n < 1"))
SKETCH = "by\n  have k : n < 3 := sorry\n  constructor\n  · sorry\n  · exact k"
HOLES = (
    HoleView(
        start=Position(line=2, column=20),
        end=Position(line=2, column=25),
        is_term=True,
        view=view("n < 3", ("n", "ℕ"), ("h", "n < 1")),
    ),
    HoleView(
        start=Position(line=4, column=4),
        end=Position(line=4, column=9),
        view=view("n % 7 = 0", ("n", "ℕ"), ("h", "n < 1")),
    ),
)
OMEGA, TWO = Script("x", "by\n  omega"), Script("y", "by\n  intro h\n  simp at h")


def scripts(**known):
    return list(Sketch().scripts(Asked(GOAL, **known)))


def test_without_a_sketch_there_is_nothing():
    assert scripts() == []
    assert scripts(sketch="  \n") == []


def test_lean_is_asked_for_the_holes_first():
    (probe,) = scripts(sketch=SKETCH)
    assert (probe.strategy, probe.proof, probe.probe) == (OPEN, SKETCH, True)


def test_every_round_fills_all_holes_with_more():
    found = scripts(sketch=SKETCH, holes=HOLES)
    names = [script.strategy for script in found]
    assert names == ["sketch/close", "sketch/induction"]
    assert set(names) <= {f"sketch/{name}" for name, _ in ROUNDS}
    assert all("sorry" not in script.proof for script in found)
    assert all(a.proof != b.proof for a, b in pairwise(found))


def test_lemmas_are_tried_and_cited():
    lemmas = (Lemma("M1", "Nat.foo", kind="theorem"),)
    cited = [script.citations for script in scripts(sketch=SKETCH, holes=HOLES, lemmas=lemmas)]
    assert cited[0] == ()
    assert cited[-1] == ("M1",)


def test_tries_stand_where_the_hole_stood():
    filled = fill(SKETCH, HOLES, [[OMEGA], [OMEGA, TWO]])
    assert filled == (
        "by\n"
        "  have k : n < 3 := (by first\n"
        "                        | (omega))\n"
        "  constructor\n"
        "  · (first\n"
        "        | (omega)\n"
        "        | (intro h\n"
        "           simp at h))\n"
        "  · exact k"
    )


def test_two_holes_in_one_line_are_both_filled():
    text = "⟨sorry, sorry⟩"
    holes = [
        HoleView(
            start=Position(line=1, column=at),
            end=Position(line=1, column=at + 5),
            is_term=True,
            view=GOAL,
        )
        for at in (1, 8)
    ]
    filled = fill(text, holes, [[OMEGA], [TWO]])
    assert filled.count("(by first") == 2
    assert "sorry" not in filled
