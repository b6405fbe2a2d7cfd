-- A proof that is not there: Lean only warns.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected contains_sorry
theorem two_is_three : 1 + 1 = 3 := sorry
