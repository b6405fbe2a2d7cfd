-- A false equation lemma, which the simplifier would use.
-- kind: environment tampering
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry or rejected elaboration_error
def f (n : Nat) : Nat := n
theorem f.eq_1 (n : Nat) : f n = n + 1 := sorry

theorem two_is_three : 1 + 1 = 3 := by have h : f 2 = 3 := by rw [f.eq_1]
                                       exact h
