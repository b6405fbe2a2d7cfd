-- A comment that never ends swallows the proof.
-- kind: inside a comment
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error
theorem two_is_three : 1 + 1 = 3 := by
  omega /- and so on
