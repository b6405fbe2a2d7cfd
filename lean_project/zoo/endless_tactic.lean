-- A tactic that always finds one more thing to do; heartbeats or the clock end it.
-- kind: process: endless tactic
-- seconds: 5
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: inconclusive timeout or rejected elaboration_error or failure
theorem two_is_three : 1 + 1 = 3 := by
  repeat (first | (have : True := trivial) | skip)
