-- `native_decide` by another name, for a lemma that nothing uses.
-- kind: axioms
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected forbidden_axiom
theorem power : 10 ^ 5 % 7 = 5 := by decide +native

theorem two : 1 + 1 = 2 := rfl
