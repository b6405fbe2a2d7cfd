-- An example declares nothing.
-- kind: declaration missing
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
example : 1 + 1 = 2 := rfl
