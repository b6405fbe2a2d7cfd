-- The theorem of that name says something else.
-- kind: statement: changed
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
theorem two_is_three : 1 + 1 = 2 := rfl
