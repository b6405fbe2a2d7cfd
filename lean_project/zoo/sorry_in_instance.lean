-- A decision procedure made of `sorry`.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
instance (priority := high) anything (p : Prop) : Decidable p := .isTrue sorry

theorem two_is_three : 1 + 1 = 3 := by exact @of_decide_eq_true _ (anything _) rfl
