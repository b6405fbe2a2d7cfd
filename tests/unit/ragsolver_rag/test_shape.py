from ragsolver_rag.shape import shape, shapes
from ragsolver_rag.statement import split_statement, split_type


def test_variables_have_no_names():
    assert shape("a + b = b + a") == shape("n + m = m + n") == shape("(n₁ + n₂) = n₂ + n₁")
    assert shape("a + b = b + a") != shape("a + b = a + b")
    assert shape("a + b = b + a") != shape("a * b = b * a")
    assert shape("a.gcd b ∣ a") == shape("m.gcd n ∣ m") != shape("m.lcm n ∣ m")


def test_a_goal_has_the_shape_of_the_lemma_that_says_it():
    lemma = shapes(split_type("∀ {a b : Int}, a ≤ b → b ≤ a → a = b"))
    goal = shapes(split_statement("theorem t (x y : Int) (h : x ≤ y) (g : y ≤ x) : x = y"))
    assert lemma == goal
    assert len(lemma) == 1


def test_types_of_variables_are_no_premises():
    assert len(shapes(split_type("∀ {α : Type u} [BEq α] (f : α → β) (n : Nat), n + 0 = n"))) == 1


def test_an_equation_is_found_from_either_side():
    lemma = set(shapes(split_type("(as ++ bs).length = as.length + bs.length")))
    goal = split_statement("l₁.length + l₂.length = (l₁ ++ l₂).length")
    assert not lemma & set(shapes(goal))
    assert lemma & set(shapes(goal, both_ways=True))


def test_what_says_next_to_nothing_has_no_shape():
    assert shape("a = b") == ""
    assert shapes(split_type("∀ {a b : Nat}, a ≤ b"), both_ways=True) == []
    assert len(shapes(split_type("∀ {a b : Nat}, a < b → a ≤ b"))) == 1


def test_a_shape_is_one_plain_term():
    assert shape("∀ x, p x → x ∈ l").isalnum()
