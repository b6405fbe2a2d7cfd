-- A command of the prelude.
-- kind: environment tampering
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected forbidden_construct
init_quot

theorem two_is_three : 1 + 1 = 3 := by omega
