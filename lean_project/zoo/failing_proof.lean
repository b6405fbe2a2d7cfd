-- A tactic that fails: the theorem is in the environment all the same.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
theorem two_is_three : 1 + 1 = 3 := by omega
