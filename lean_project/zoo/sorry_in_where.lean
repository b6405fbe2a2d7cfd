-- The hole is in a part after the proof.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
theorem two_is_three : 1 + 1 = 3 := claim
where claim : 1 + 1 = 3 := by exact sorry
