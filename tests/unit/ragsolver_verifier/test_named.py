from ragsolver_verifier.named import identifiers


def test_dotted_names_primes_and_unicode():
    found = identifiers("by exact (Nat.le_of_lt' h₁).trans (Foo.«x» α)")
    assert {"Nat.le_of_lt'", "h₁", "α"} <= set(found)


def test_comments_name_nothing():
    assert identifiers("simp -- Nat.add_comm\n/- Nat.mul_comm -/") == ("simp",)


def test_numbers_are_no_names():
    assert identifiers("1 + 2.5") == ()
