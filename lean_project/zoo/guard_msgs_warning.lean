-- The warning about `sorry` is expected, so it is not shown.
-- kind: hidden or forged messages
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
/-- warning: declaration uses `sorry` -/
#guard_msgs in
theorem two_is_three : 1 + 1 = 3 := sorry
