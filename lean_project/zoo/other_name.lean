-- The theorem has another name.
-- kind: declaration missing
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
theorem two' : 1 + 1 = 2 := rfl
