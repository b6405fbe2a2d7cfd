-- A failed proof whose message is dropped.
-- kind: hidden or forged messages
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
#guard_msgs (drop all) in
theorem two_is_three : 1 + 1 = 3 := by omega
