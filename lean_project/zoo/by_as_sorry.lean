-- Tactic blocks become `sorry` by an option.
-- kind: hidden sorry
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
set_option debug.byAsSorry true in
theorem two_is_three : 1 + 1 = 3 := by omega
