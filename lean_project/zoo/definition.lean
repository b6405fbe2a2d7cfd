-- A definition is no theorem.
-- kind: declaration missing
-- statement: theorem two : 1 + 1 = 2
-- expect: rejected statement_mismatch
def two : 1 + 1 = 2 := rfl
