-- `stop` drops the rest of the proof and leaves `sorry`.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
theorem two_is_three : 1 + 1 = 3 := by
  stop
  rfl
