-- The theorem is a comment.
-- kind: inside a comment
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
theorem other : True := trivial
/-
theorem two_is_three : 1 + 1 = 3 := by omega
-/
