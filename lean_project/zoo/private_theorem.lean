-- The theorem is private; another one of that name, not proved, would be public.
-- kind: private
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected elaboration_error or rejected statement_mismatch
private theorem two_is_three : 1 + 1 = 2 := rfl
