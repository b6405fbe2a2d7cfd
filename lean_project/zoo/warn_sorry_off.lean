-- The warning about `sorry` is switched off.
-- kind: hidden or forged messages
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
set_option warn.sorry false in
theorem two_is_three : 1 + 1 = 3 := sorry
