-- Parentheses sixty-four deep.
-- statement: theorem deep : 1 + 1 = 2
-- expect: accepted
theorem deep : 1 + 1 = 2 := by
  have : True ∧ True ∧ True ∧ True ∧ True ∧ True ∧ True ∧ True ∧ True ∧ True ∧ True := by simp
  exact ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((rfl))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
