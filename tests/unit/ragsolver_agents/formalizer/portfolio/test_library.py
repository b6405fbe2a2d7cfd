from ragsolver_agents.formalizer.portfolio.library import MAX_ANSWERS, Answers, Library
from ragsolver_agents.formalizer.portfolio.script import Asked
from suites.deciding_world import view


def names(statement):
    return [script.strategy for script in Library().scripts(Asked(statement))]


def test_the_whole_goal_comes_first_and_asks():
    scripts = list(Library().scripts(Asked(view("∀ (n : ℕ), 0 < n → n ≠ 0"))))
    assert scripts[0].proof == "by\n  intro n hi0\n  exact?"
    assert scripts[0].probe


def test_parts_follow_the_shape_of_the_goal():
    assert "library/parts" in names(view("n = 1 ∧ n = 2", ("n", "ℕ")))
    assert "library/parts" in names(view("n = 1 ↔ n = 2", ("n", "ℕ")))
    assert {"library/left", "library/right"} <= set(names(view("n = 1 ∨ n = 2", ("n", "ℕ"))))
    assert names(view("n = 1", ("n", "ℤ"))) == ["library/exact", "library/apply"]


def test_induction_is_on_naturals():
    assert names(view("n = m", ("n", "ℕ"), ("m", "ℕ"))).count("library/induction") == 2


def test_an_unreadable_goal_is_asked_all_the_same():
    assert next(Library().scripts(Asked(view("∑ i, i = 3")))).proof == "by\n  intros\n  exact?"


def test_answers_are_gone_on_with():
    asked = Asked(view("n * n < k * k", ("n", "ℕ")), answers=("refine Nat.foo.mpr ?_", "simp"))
    first, second = Answers().scripts(asked)
    assert first.strategy == "answers/Nat.foo.mpr"
    assert first.proof.startswith("by\n  (refine Nat.foo.mpr ?_) <;> (intros; first | assumption")
    assert second.strategy == "answers/simp"


def test_so_many_answers_are_tried():
    many = tuple(f"refine Nat.f{n} ?_" for n in range(40))
    assert len(list(Answers().scripts(Asked(view("n = 0", ("n", "ℕ")), answers=many)))) == (
        MAX_ANSWERS
    )
    assert list(Answers().scripts(Asked(view("n = 0", ("n", "ℕ"))))) == []
