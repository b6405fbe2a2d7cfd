-- The statement becomes a part of a string.
-- kind: inside a string
-- statement: theorem two_is_three : 1 + 1 = 3
-- expect: rejected statement_mismatch
def text := "
-- proof:
"
