-- A simplification lemma without a proof works inside another proof.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
@[simp] theorem wrong (n : Nat) : n = 3 ↔ True := by sorry

theorem two_is_three : 1 + 1 = 3 := by rw [wrong]; trivial
