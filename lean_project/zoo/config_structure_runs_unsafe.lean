-- The same, inside a structure.
-- kind: unsafe
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
theorem two_is_three : 1 + 1 = 3 := by
  simp (config := { maxSteps := unsafeCast "text" })
