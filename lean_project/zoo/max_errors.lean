-- Error messages are limited to none.
-- kind: hidden or forged messages
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
set_option maxErrors 0 in
theorem two_is_three : 1 + 1 = 3 := by omega
