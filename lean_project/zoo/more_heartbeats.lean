-- A candidate gives itself more time.
-- kind: process: endless tactic
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
set_option maxHeartbeats 0 in
theorem two_is_three : 1 + 1 = 3 := by omega
