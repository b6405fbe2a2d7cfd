-- Lean is asked to tell everything.
-- kind: process: flood of output
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
set_option trace.Meta.isDefEq true
set_option trace.Elab true

theorem two_is_three : 1 + 1 = 3 := by omega
