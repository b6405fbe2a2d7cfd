-- The proof's own recursion, said to be well-founded.
-- kind: partial
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
theorem two_is_three : 1 + 1 = 3 := h 0 where
  h (n : Nat) : 1 + 1 = 3 := h (n + 1)
  termination_by 0 - n
  decreasing_by all_goals (simp_wf; omega)
