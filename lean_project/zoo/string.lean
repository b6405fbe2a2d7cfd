-- The theorem is inside a string.
-- kind: inside a string
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
def text := "theorem two_is_three : 1 + 1 = 3 := rfl"
